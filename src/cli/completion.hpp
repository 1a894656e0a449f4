// Shell completion scripts from the tables.
#pragma once

#include <string>

namespace rocescope::cli {

/// For /usr/share/bash-completion/completions/rocescope.
[[nodiscard]] std::string bash_completion();
/// For /usr/share/zsh/site-functions/_rocescope.
[[nodiscard]] std::string zsh_completion();
/// For /usr/share/fish/vendor_completions.d/rocescope.fish.
[[nodiscard]] std::string fish_completion();

}  // namespace rocescope::cli
