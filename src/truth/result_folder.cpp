#include "truth/result_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace rocescope::truth {
namespace {

/// The files in `folder` whose names end with `ending`, by name.
Result<std::vector<std::string>> files_with(const std::string& folder, std::string_view ending) {
  std::error_code problem;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    if (each->path().filename().string().ends_with(ending)) files.push_back(each->path().string());
  }
  if (problem) return Error{"cannot read " + folder + ": " + problem.message()};
  std::ranges::sort(files);
  return files;
}

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Result<std::vector<std::string>> truths_in(const std::string& folder) {
  Result<std::vector<std::string>> files = files_with(folder, ".rdmagen.ndjson");
  if (!files) return files.error();
  const std::filesystem::path of_the_lab = std::filesystem::path(folder) / "truth.ndjson";
  if (std::error_code ignored; std::filesystem::exists(of_the_lab, ignored)) files->push_back(of_the_lab.string());
  if (!files->empty()) return files;
  return Error{"no truth in " + folder +
               ": neither truth.ndjson nor *.rdmagen.ndjson, which a run of the lab leaves. Name the files in it"};
}

Result<std::vector<std::string>> captures_in(const std::string& folder) {
  for (const std::string_view ending : {".wire.pcapng", ".inside.pcapng"}) {
    Result<std::vector<std::string>> files = files_with(folder, ending);
    if (!files || !files->empty()) return files;
  }
  return Error{"no captures of the lab in " + folder +
               ": neither *.wire.pcapng nor *.inside.pcapng. Name the files in it"};
}

}  // namespace rocescope::truth
