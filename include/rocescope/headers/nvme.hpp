// NVMe over Fabrics: commands, capsules, and what they name.
#pragma once

#include "rocescope/headers/nvme/commands.hpp"
#include "rocescope/headers/nvme/data.hpp"
#include "rocescope/headers/nvme/fabrics.hpp"
#include "rocescope/headers/nvme/names.hpp"
