#include "core/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan_simulator.hpp"

namespace rocescope::rdmagen {
namespace {

using testing::PlanSimulator;

Job job_of(Workload workload, Transport transport = Transport::kRc) {
  Job job;
  job.workload = workload;
  job.transport = transport;
  job.size = 1000;
  job.chunk = 300;
  job.count = 3;
  job.payload = Payload::kRandom;
  return job;
}

Job mixed_job(Transport transport = Transport::kRc) {
  Job job = job_of(Workload::kMixed, transport);
  job.count = 500;
  job.qps = 3;
  for (std::size_t i = 0; i + 1 < kOperationCount; ++i) {
    if (carries(transport, static_cast<Operation>(i))) job.operations.add(static_cast<Operation>(i));
  }
  return job;
}

void expect_runs(const Job& job) {
  PlanSimulator simulator(job);
  EXPECT_EQ(simulator.run(), "") << name_of(job.workload) << " over " << name_of(job.transport);
}

constexpr Workload kRcWorkloads[] = {Workload::kWriteRead,      Workload::kWriteImm, Workload::kParamServer,
                                     Workload::kInferenceBatch, Workload::kMpi,      Workload::kBulk,
                                     Workload::kPingPong};

TEST(Plan, EveryWorkloadComesToItsEndWithEveryByteRight) {
  for (const Workload workload : kRcWorkloads) {
    for (const std::uint8_t qps : {std::uint8_t{1}, std::uint8_t{3}}) {
      for (const std::uint64_t size : {0U, 1U, 1000U}) {
        Job job = job_of(workload);
        job.qps = qps;
        job.size = size;
        expect_runs(job);
      }
    }
  }
}

TEST(Plan, MixedComesToItsEndWithEveryByteRight) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U, 5U}) {
    Job job = mixed_job();
    job.seed = seed;
    expect_runs(job);
  }
  expect_runs(mixed_job(Transport::kUc));
  expect_runs(mixed_job(Transport::kUd));
  expect_runs(mixed_job(Transport::kXrc));
}

TEST(Plan, XrcHasAllOfRcButMemoryWindows) {
  for (const Workload workload : kRcWorkloads) expect_runs(job_of(workload, Transport::kXrc));
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const auto operation = static_cast<Operation>(i);
    const bool window = operation == Operation::kSendInv || operation == Operation::kBindWindow;
    EXPECT_EQ(carries(Transport::kXrc, operation), !window) << traits(operation).name;
  }
}

TEST(Plan, MixedUsesEveryOperationAskedFor) {
  PlanSimulator simulator(mixed_job());
  simulator.run();
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    EXPECT_GT(simulator.posted().count(static_cast<Operation>(i)), 0U) << traits(static_cast<Operation>(i)).name;
  }
}

TEST(Plan, SameSeedGivesTheSamePlanOnEachSide) {
  const Job job = mixed_job();
  const auto decoded = decode_job(encode(job));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(make_plan(job), make_plan(*decoded));
  Job other = job;
  ++other.seed;
  EXPECT_NE(make_plan(job), make_plan(other));
}

TEST(Plan, UcAndUdWorkloadsComeToTheirEnd) {
  for (const Workload workload :
       {Workload::kBulk, Workload::kPingPong, Workload::kWriteImm, Workload::kInferenceBatch}) {
    expect_runs(job_of(workload, Transport::kUc));
  }
  expect_runs(job_of(Workload::kBulk, Transport::kUd));
  expect_runs(job_of(Workload::kPingPong, Transport::kUd));
}

TEST(Plan, BulkOfEachOperationMovesItsSizeInChunks) {
  for (const Operation operation :
       {Operation::kSend, Operation::kSendImm, Operation::kWrite, Operation::kWriteImm, Operation::kRead}) {
    Job job = job_of(Workload::kBulk);
    job.operations.add(operation);
    job.count = 1;
    PlanSimulator simulator(job);
    EXPECT_EQ(simulator.run(), "");
    EXPECT_EQ(simulator.posted().at(operation), 4U);  // 300 + 300 + 300 + 100
    std::uint64_t bytes = 0;
    for (const Step& step : simulator.plan().client.steps) {
      if (step.kind == StepKind::kPost) bytes += step.length;
    }
    EXPECT_EQ(bytes, 1000U);
  }
}

TEST(Plan, EveryNthWorkRequestAsksForItsCompletion) {
  Job job = job_of(Workload::kBulk);
  job.size = 10 * job.chunk;
  job.count = 1;
  job.depth = 8;
  job.signal_every = 4;
  std::vector<bool> signaled;
  for (const Step& step : make_plan(job).client.steps) {
    if (step.kind == StepKind::kPost) signaled.push_back(step.signaled);
  }
  EXPECT_EQ(signaled, (std::vector<bool>{false, false, false, true, false, false, false, true, false, true}));
}

TEST(Plan, MessagesUpToTheInlineSizeGoInline) {
  Job job = job_of(Workload::kBulk);
  job.inline_bytes = 100;
  for (const Step& step : make_plan(job).client.steps) {
    if (step.kind != StepKind::kPost) continue;
    EXPECT_EQ(step.inlined, step.length == 100);
  }
}

TEST(Plan, UdReceivesHaveRoomForTheGrh) {
  Job job = job_of(Workload::kPingPong, Transport::kUd);
  job.size = 1024;
  EXPECT_GE(make_plan(job).server.slot_bytes, 1024 + kGrhBytes);
}

TEST(Plan, FaultsAskForWhatMustGoWrong) {
  const auto plan_of = [](Fault fault) {
    Job job = job_of(Workload::kWriteRead);
    job.fault = fault;
    return make_plan(job);
  };
  const auto has_key = [](const Plan& plan, KeyChoice key) {
    return std::any_of(plan.client.steps.begin(), plan.client.steps.end(), [&](const Step& s) { return s.key == key; });
  };
  EXPECT_TRUE(has_key(plan_of(Fault::kWrongRkey), KeyChoice::kWrong));
  EXPECT_FALSE(plan_of(Fault::kReadOnly).server.remote_write);
  EXPECT_EQ(plan_of(Fault::kRnr).server.policy, ReceivePolicy::kNever);
  EXPECT_EQ(plan_of(Fault::kSlowReceiver).server.policy, ReceivePolicy::kLate);
  EXPECT_EQ(plan_of(Fault::kOversizedSend).server.slot_bytes, 64U);
  const Plan out_of_range = plan_of(Fault::kOutOfRange);
  EXPECT_TRUE(std::any_of(out_of_range.client.steps.begin(), out_of_range.client.steps.end(), [&](const Step& s) {
    return s.kind == StepKind::kPost && s.remote_offset >= out_of_range.server.region_bytes;
  }));
  for (const Fault fault : {Fault::kWrongRkey, Fault::kOutOfRange, Fault::kReadOnly}) {
    EXPECT_EQ(plan_of(fault).client.accepts, std::vector{Outcome::kRemoteAccess});
  }
  EXPECT_EQ(plan_of(Fault::kRnr).client.accepts, std::vector{Outcome::kRnrRetryExceeded});
  EXPECT_TRUE(plan_of(Fault::kSlowReceiver).client.accepts.empty());
}

TEST(Plan, KilledSideStopsInTheMiddle) {
  for (const Fault fault : {Fault::kKillServer, Fault::kKillClient}) {
    Job job = job_of(Workload::kWriteRead);
    job.fault = fault;
    job.count = 10;
    const Plan plan = make_plan(job);
    const SidePlan& dies = fault == Fault::kKillServer ? plan.server : plan.client;
    const SidePlan& lives = fault == Fault::kKillServer ? plan.client : plan.server;
    const auto kills = [](const Step& s) { return s.kind == StepKind::kKillSelf; };
    EXPECT_EQ(std::count_if(dies.steps.begin(), dies.steps.end(), kills), 1);
    EXPECT_EQ(std::count_if(lives.steps.begin(), lives.steps.end(), kills), 0);
    EXPECT_FALSE(lives.accepts.empty());
  }
}

TEST(Plan, WhatCannotBeIsComplainedAboutInWords) {
  EXPECT_EQ(complaint_about(job_of(Workload::kWriteRead)), "");
  EXPECT_EQ(complaint_about(job_of(Workload::kMpi, Transport::kUc)),
            "mpi needs READ, which only RC and XRC have: use --transport rc");
  EXPECT_EQ(complaint_about(job_of(Workload::kWriteImm, Transport::kUd)),
            "write-imm needs WRITE: use --transport rc or uc");
  Job job = job_of(Workload::kBulk, Transport::kUd);
  job.operations.add(Operation::kWrite);
  EXPECT_EQ(complaint_about(job), "UD has no write");
  job = mixed_job(Transport::kXrc);
  job.operations.add(Operation::kSendInv);
  EXPECT_EQ(
      complaint_about(job),
      "send-inv needs a memory window, which the queue pairs that take XRC's requests cannot bind: use --transport rc");
  job = job_of(Workload::kBulk);
  job.signal_every = 17;
  EXPECT_EQ(complaint_about(job),
            "--signal-every must be between 1 and the depth (16), or the send queue would never empty");
  job = job_of(Workload::kMixed);
  job.size = std::uint64_t{1} << 30U;
  EXPECT_EQ(complaint_about(job), "mixed needs a region of more than 4 GiB: use a smaller --size or fewer --qps");
}

TEST(Plan, MessageOfOneGibibyteHasAPlan) {
  Job job = job_of(Workload::kWriteRead);
  job.size = std::uint64_t{1} << 30U;
  job.count = 1;
  EXPECT_EQ(complaint_about(job), "");
  EXPECT_LE(make_plan(job).client.region_bytes, 0xffffffffU);
}

}  // namespace
}  // namespace rocescope::rdmagen
