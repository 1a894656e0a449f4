// Help, man pages and completion agree with the option tables, and the programs that read them accept them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "captures.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/input_sections.hpp"
#include "process.hpp"
#include "rocescope/finding.hpp"
#include "support/source_dir.hpp"
#include "support/temporary_folder.hpp"

namespace rocescope::testing {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

const std::string kDocuments = build_dir();

std::string name_of(const cli::Command& command) { return std::string(command.name); }

std::vector<const cli::Option*> options_of(const cli::Command& command) {
  std::vector<const cli::Option*> options;
  for (const cli::OptionGroup& group : command.options) {
    options.insert(options.end(), group.options.begin(), group.options.end());
  }
  return options;
}

std::string man_page(const std::string& page) { return kDocuments + "/man/" + page + ".1"; }

std::vector<std::string> pages() {
  std::vector<std::string> names{"rocescope"};
  for (const cli::Command* command : cli::commands()) names.push_back("rocescope-" + name_of(*command));
  return names;
}

TEST(OptionTables, no_name_stands_for_two_options) {
  for (const cli::Command* command : cli::commands()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const cli::Option* option : options_of(*command)) {
      EXPECT_TRUE(names.insert(option->name).second) << command->name << " --" << option->name;
      if (option->letter != '\0') {
        EXPECT_TRUE(letters.insert(option->letter).second) << command->name << " -" << option->letter;
      }
    }
  }
}

TEST(Help, fits_80_columns_and_starts_with_examples) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"help"},
                                                                                     {"help", "analyze"},
                                                                                     {"help", "dissect"},
                                                                                     {"help", "export"},
                                                                                     {"help", "fields"},
                                                                                     {"help", "help"},
                                                                                     {"help", "interfaces"},
                                                                                     {"help", "live"},
                                                                                     {"help", "verify"}}) {
    const std::string text = rocescope(words).out;
    EXPECT_THAT(text, StartsWith("Examples:\n"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Help, tells_every_option) {
  for (const cli::Command* command : cli::commands()) {
    const std::string text = rocescope({"help", name_of(*command)}).out;
    for (const cli::Option* option : options_of(*command)) {
      EXPECT_THAT(text, HasSubstr("--" + std::string(option->name))) << command->name;
    }
  }
}

/// A folder with what the examples name: the program, and captures under the names of the examples.
class Examples : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_symlink(program(), folder_.path("rocescope"));
    for (const char* name : {"lab.pcapng", "lab.pcapng.zst", "ring-1.pcap.zst", "ring-2.pcap.zst"}) {
      std::filesystem::create_symlink(kLab, folder_.path(name));
    }
    std::filesystem::create_symlink(capture("rdmagen-cm-mixed.pcapng"), folder_.path("run.pcapng"));
    std::filesystem::create_symlink(capture("rdmagen-cm-mixed.ndjson"), folder_.path("run.ndjson"));
    std::ifstream truth(folder_.path("run.ndjson"));
    std::ofstream server(folder_.path("server.ndjson"));
    std::ofstream client(folder_.path("client.ndjson"));
    for (std::string line; std::getline(truth, line);) {
      if (line.find("\"side\":\"server\"") != std::string::npos) server << line << '\n';
      if (line.find("\"side\":\"client\"") != std::string::npos) client << line << '\n';
    }
    const std::string result = folder_.path("lab-results/rdmagen-cm-mixed");
    std::filesystem::create_directories(result);
    std::filesystem::create_symlink(folder_.path("run.pcapng"), result + "/client.wire.pcapng");
    std::filesystem::create_symlink(folder_.path("run.ndjson"), result + "/truth.ndjson");
  }

  void expect_to_work(const std::string& command) const {
    for (const std::string other : {"man", "jq", "ssh", "capinfos", "less"}) {
      const std::regex names_other("(^|[| ])" + other + " ");
      if (std::regex_search(command, names_other) && (other == "ssh" || !has_program(other))) return;
    }
    if (command.starts_with("man ")) return;                           // of an installed page
    if (command.find("rocescope live ") != std::string::npos) return;  // tests/live has the interfaces
    if (command.find("--clickhouse ") != std::string::npos) return;    // tests/clickhouse has the servers
    const std::string script = "cd '" + folder_.path() + "'; PATH=$PWD:$PATH; set -o pipefail; export HOME=$PWD; " +
                               "unset XDG_CONFIG_HOME WIRESHARK_CONFIG_DIR; " + command;
    const Outcome outcome = run({"bash", "-c", script});
    EXPECT_EQ(outcome.exit_code, 0) << command;
    const bool verbose = command.find(" -v ") != std::string::npos;
    EXPECT_EQ(outcome.err.empty(), !verbose) << command << '\n' << outcome.err;
  }

  const TemporaryFolder folder_;
};

TEST_F(Examples, of_all_help_texts_work) {
  for (const cli::Command* command : cli::commands()) {
    for (const cli::Example& example : command->examples) expect_to_work(std::string(example.command));
  }
}

TEST_F(Examples, of_filters_in_the_man_pages_work) {
  std::istringstream lines{std::string(cli::kFilterSection.text)};
  int filters = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ")) continue;
    const Outcome outcome = rocescope({"dissect", "-c1", "-Y", line, kLab});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    ++filters;
  }
  EXPECT_GT(filters, 2);
}

/// The commands that a README shows, `$ rocescope ...` in an indented block, each with the lines below it.
std::vector<std::pair<std::string, std::vector<std::string>>> shown_in(const std::string& path) {
  std::vector<std::pair<std::string, std::vector<std::string>>> shown;
  std::ifstream readme(source_dir() + "/" + path);
  bool in_output = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("    $ rocescope ")) {
      shown.emplace_back(line.substr(6), std::vector<std::string>());
      in_output = true;
    } else if (in_output && line.starts_with("    ")) {
      shown.back().second.push_back(line.substr(4));
    } else if (!line.empty()) {
      in_output = false;
    }
  }
  return shown;
}

TEST_F(Examples, of_the_readmes_print_what_they_show) {
  auto shown = shown_in("README.md");
  EXPECT_EQ(shown.size(), 2U);
  const auto dissected = shown_in("dissectors/README.md");
  EXPECT_EQ(dissected.size(), 1U);
  shown.insert(shown.end(), dissected.begin(), dissected.end());
  for (const auto& [command, lines] : shown) {
    const Outcome outcome =
        run({"bash", "-c", "PATH='" + folder_.path() + "':$PATH; cd '" + source_dir() + "'; " + command});
    std::istringstream output(outcome.out);
    EXPECT_FALSE(lines.empty());
    for (const std::string& line : lines) {
      if (line == "  ...") continue;  // lines left out
      std::string printed;
      while (std::getline(output, printed) && printed != line) continue;
      EXPECT_EQ(printed, line) << command;
    }
  }
}

TEST(ManPages, tell_every_option_and_command) {
  for (const cli::Command* command : cli::commands()) {
    const std::string text = file_bytes(man_page("rocescope-" + name_of(*command)));
    for (const cli::Option* option : options_of(*command)) {
      std::string name;
      for (const char c : option->name) name += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_THAT(text, HasSubstr("\\fB\\-\\-" + name + "\\fR")) << command->name;
    }
    EXPECT_THAT(file_bytes(man_page("rocescope")), HasSubstr("rocescope\\-" + name_of(*command))) << command->name;
  }
}

TEST(ManPages, tell_every_finding) {
  const std::string text = file_bytes(man_page("rocescope-explain"));
  for (const FindingInfo& info : finding_infos()) {
    EXPECT_THAT(text, HasSubstr(std::string(info.name) + " (" + std::string(to_string(info.severity)) + "): "));
  }
  EXPECT_THAT(text, HasSubstr("\nHow sure: At least: a NAK names only the first packet of a hole."));
}

/// What man makes of a page, which it accepts without a warning.
std::string rendered(const std::string& path) {
  const Outcome outcome = run({"man", "--warnings", "-l", path},
                              {.environment = {{"MANWIDTH", "80"}, {"LC_ALL", "C.UTF-8"}, {"MANROFFSEQ", ""}}});
  EXPECT_EQ(outcome.exit_code, 0) << path;
  EXPECT_EQ(outcome.err, "") << path;
  return outcome.out;
}

TEST(ManPages, render_without_warnings) {
  if (!has_program("man")) GTEST_SKIP() << "man is not installed";
  for (const std::string& page : pages()) EXPECT_THAT(rendered(man_page(page)), HasSubstr("EXAMPLES")) << page;
}

TEST(ManPages, name_a_source_for_each_mark_in_the_page_about_capturing) {
  const std::string text = file_bytes(kDocuments + "/man/rocescope-capture.7");
  const std::size_t sources = text.find(".SH SOURCES");
  ASSERT_NE(sources, std::string::npos);
  const std::regex mark(R"(\[(\w+(?:, \w+)*)\])");
  std::set<std::string> cited;
  const std::string body = text.substr(0, sources);
  for (std::sregex_iterator each(body.begin(), body.end(), mark), end; each != end; ++each) {
    std::istringstream names((*each)[1]);
    for (std::string name; std::getline(names >> std::ws, name, ',');) cited.insert(name);
  }
  std::set<std::string> named;
  const std::string list = text.substr(sources);
  const std::regex entry(R"(\n  (\w+) )");
  for (std::sregex_iterator each(list.begin(), list.end(), entry), end; each != end; ++each) named.insert((*each)[1]);
  EXPECT_GT(named.size(), 10U);
  EXPECT_EQ(cited, named);
  if (!has_program("man")) GTEST_SKIP() << "man is not installed";
  EXPECT_THAT(rendered(kDocuments + "/man/rocescope-capture.7"), HasSubstr("SNAP LENGTH"));
}

TEST(ManPages, tell_all_codes_that_the_program_ends_with) {
  for (const std::string& page : pages()) {
    const std::string text = file_bytes(man_page(page));
    const std::string status = text.substr(text.find(".SH EXIT STATUS"));
    for (const cli::ExitCode code :
         {cli::ExitCode::kDone, cli::ExitCode::kFinding, cli::ExitCode::kError, cli::ExitCode::kInterrupted}) {
      EXPECT_THAT(status, HasSubstr("\\fB" + std::to_string(static_cast<int>(code)) + "\\fR\n")) << page;
    }
  }
}

/// What bash offers for the last of `words`.
std::vector<std::string> bash_offers(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  const std::string script = "source '" + kDocuments + "/completion/rocescope.bash'; COMP_WORDS=(" + line +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rocescope; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const Outcome outcome = run({"bash", "-c", script});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  std::vector<std::string> offers;
  std::istringstream lines(outcome.out);
  for (std::string offer; std::getline(lines, offer);) offers.push_back(offer);
  return offers;
}

using Words = std::vector<std::string>;

TEST(BashCompletion, offers_commands_options_choices_fields_and_files) {
  EXPECT_EQ(bash_offers({"rocescope", "di"}), Words{"dissect"});
  EXPECT_EQ(bash_offers({"rocescope", "--ver"}), Words{"--version"});
  EXPECT_EQ(bash_offers({"rocescope", "help", "fi"}), Words{"fields"});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "--col"}), Words{"--color"});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "-T", "nd"}), Words{"ndjson"});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "-t", "a"}), (Words{"a", "ad"}));
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "--color", "=", "al"}), Words{"always"});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "--color", "="}), (Words{"auto", "always", "never"}));
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "-E", "sep"}), Words{"separator="});
  EXPECT_EQ(bash_offers({program(), "dissect", "-e", "infiniband.bth.ps"}), Words{"infiniband.bth.psn"});
  EXPECT_EQ(bash_offers({program(), "fields", "infiniband.bth.ps"}), Words{"infiniband.bth.psn"});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", kLab.substr(0, kLab.size() - 3)}), Words{kLab});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "-r", kLab.substr(0, kLab.size() - 3)}), Words{kLab});
  EXPECT_EQ(bash_offers({"rocescope", "dissect", "-c", ""}), Words{""});
}

TEST(BashCompletion, offers_findings_and_interfaces) {
  EXPECT_EQ(bash_offers({"rocescope", "explain", "ecn_"}), Words{"ecn_marked"});
  EXPECT_EQ(bash_offers({"rocescope", "extract", "--finding", "ecn_"}), Words{"ecn_marked"});
  for (const std::string option : {"-i", "--interface"}) {
    EXPECT_THAT(bash_offers({program(), "live", option, "l"}), Contains("lo"));
    EXPECT_THAT(bash_offers({program(), "live", option, ""}), Contains("any"));
  }
}

TEST(BashCompletion, offers_every_option) {
  for (const cli::Command* command : cli::commands()) {
    Words names;
    for (const cli::Option* option : options_of(*command)) names.push_back("--" + std::string(option->name));
    EXPECT_THAT(bash_offers({"rocescope", name_of(*command), "--"}), ::testing::UnorderedElementsAreArray(names));
    EXPECT_THAT(bash_offers({"rocescope", name_of(*command), "-"}), IsSupersetOf(names));
  }
}

TEST(ZshCompletion, is_accepted_by_zsh_and_tells_every_option) {
  const std::string path = kDocuments + "/completion/_rocescope";
  const std::string text = file_bytes(path);
  for (const cli::Command* command : cli::commands()) {
    for (const cli::Option* option : options_of(*command)) {
      EXPECT_THAT(text, HasSubstr("--" + std::string(option->name))) << command->name;
    }
  }
  EXPECT_THAT(text, ContainsRegex("--finding=[^\n]*:ID:[^\n]*ecn_marked"));
  EXPECT_THAT(text, ContainsRegex("--interface=[^\n]*:NAME:_rocescope_interfaces"));
  if (!has_program("zsh")) GTEST_SKIP() << "zsh is not installed";
  const Outcome outcome = run({"zsh", "-n", path});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST(FishCompletion, is_accepted_by_fish_and_offers_choices) {
  const std::string path = kDocuments + "/completion/rocescope.fish";
  const std::string text = file_bytes(path);
  for (const cli::Command* command : cli::commands()) {
    for (const cli::Option* option : options_of(*command)) {
      EXPECT_THAT(text, HasSubstr(" -l " + std::string(option->name))) << command->name;
    }
  }
  EXPECT_THAT(text, ContainsRegex(" -l finding -x -a '[^\n]*ecn_marked"));
  EXPECT_THAT(text, ContainsRegex(" -l interface -x -a '.rocescope interfaces --names.'"));
  if (!has_program("fish")) GTEST_SKIP() << "fish is not installed";
  const Outcome outcome = run({"fish", "--no-execute", path});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const Outcome offers = run({"fish", "-c", "source '" + path + "'; complete -C 'rocescope dissect -T n'"});
  EXPECT_EQ(offers.out, "ndjson\tthe same objects, one a line\n");
  const Outcome findings = run({"fish", "-c", "source '" + path + "'; complete -C 'rocescope extract --finding ecn_'"});
  EXPECT_THAT(findings.out, StartsWith("ecn_marked\t"));
}

}  // namespace
}  // namespace rocescope::testing
