// The fields of each event.
#pragma once

#include "truth/fact_reader.hpp"
#include "truth/truth.hpp"

namespace rocescope::truth {

void read(FactReader& from, Start& to);
void read(FactReader& from, DeviceOpened& to);
void read(FactReader& from, Device& to);
void read(FactReader& from, ProtectionDomain& to);
void read(FactReader& from, CompletionQueue& to);
void read(FactReader& from, MemoryRegion& to);
void read(FactReader& from, RegionDeregistered& to);
void read(FactReader& from, MemoryWindow& to);
void read(FactReader& from, Job& to);
void read(FactReader& from, QueuePair& to);
void read(FactReader& from, QueuePairState& to);
void read(FactReader& from, QueuePairDestroyed& to);
void read(FactReader& from, CmEvent& to);
void read(FactReader& from, Reject& to);
void read(FactReader& from, Exchange& to);
void read(FactReader& from, Post& to);
void read(FactReader& from, Completion& to);
void read(FactReader& from, Verified& to);
void read(FactReader& from, AsyncEvent& to);
void read(FactReader& from, Kill& to);
void read(FactReader& from, Counters& to);
void read(FactReader& from, RunResult& to);
void read(FactReader& from, Failed& to);
void read(FactReader& from, Host& to);

}  // namespace rocescope::truth
