// The header of RDS.
#include "rocescope/headers/rds.hpp"

#include "dissectors/dissectors.hpp"
#include "dissectors/ulp/forms.hpp"

namespace rocescope::dissectors {

void dissect_rds(Dissection& d) noexcept {
  if (has_form_of_rds(d.rest(), 0)) (void)d.take<RdsHeader>();
}

}  // namespace rocescope::dissectors
