// The numbers of connections and capture points that a user names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/input_options.hpp"
#include "cli/messages.hpp"
#include "rocescope/result.hpp"
#include "rocescope/tracker.hpp"

namespace rocescope::cli {

/// Fails if a capture can be read only once.
[[nodiscard]] std::optional<Error> check_can_be_read_twice(const InputOptions& options);

/// Where `options` name connections, or ask for the numbers of all: learns which numbers their directions had before they were
/// paired. A user may name a connection by such a number, too: `options` have the final one then. Reads the captures up to the pairing,
/// or to the end. Fails if there is no such connection. Does nothing for captures that can be read only once.
[[nodiscard]] std::optional<Error> look_up_connections(InputOptions& options, Messages& messages);

/// Fails if there is no capture point that `options` name. Reads the captures until each was seen. Does nothing for captures that can
/// be read only once.
[[nodiscard]] std::optional<Error> look_up_points(const InputOptions& options, Messages& messages);

/// Whether a packet of the connection was seen, in the report or not.
[[nodiscard]] bool has_any_packet(const Connection& connection) noexcept;
/// The numbers of the connections with packets that `tracker` follows.
[[nodiscard]] std::vector<std::uint32_t> connection_numbers(const Tracker& tracker);

/// The error that there is no connection `number` among `numbers`. It names these where they are others than 1, 2, ...: directions that
/// were joined have one of two.
[[nodiscard]] Error no_connection(std::uint64_t number, std::vector<std::uint32_t> numbers);
/// The error that there is no capture point `number` among `points`.
[[nodiscard]] Error no_point(std::uint64_t number, std::size_t points);

}  // namespace rocescope::cli
