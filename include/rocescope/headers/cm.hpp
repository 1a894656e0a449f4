// Messages of the communication manager (IBTA 12), which MADs carry.
#pragma once

#include "rocescope/headers/cm/connection.hpp"
#include "rocescope/headers/cm/names.hpp"
#include "rocescope/headers/cm/path.hpp"
#include "rocescope/headers/cm/req.hpp"
#include "rocescope/headers/cm/sidr.hpp"
#include "rocescope/headers/mad.hpp"
