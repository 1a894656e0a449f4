// A thread beside the main thread.
#pragma once

#include <pthread.h>

#include <csignal>
#include <system_error>
#include <thread>
#include <utility>

namespace rocescope {

/// Runs `work`, which must not throw, in a thread that blocks all signals. Not joinable if the system gives no thread.
template <class Work>
[[nodiscard]] std::thread own_thread(Work work) {
  std::thread thread;
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // a new thread has the mask of the one that makes it
  try {
    thread = std::thread(std::move(work));
  } catch (const std::system_error&) {  // no more threads
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace rocescope
