// SPDX-License-Identifier: GPL-2.0
/*
 * The laws behind a result's sweeps, as JSON. They follow from the cells, so a reader of the file
 * need not read them, and does not here.
 */
#ifdef HAVE_JANSSON_SUPPORT

#include <math.h>
#include <stdlib.h>

#include "../stats/law.h"
#include "json-fits.h"

static json_t *real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Takes @value. */
static int append(json_t **array, json_t *value)
{
	if (!json_array_append_new(*array, value))
		return 0;
	json_decref(*array);
	*array = NULL;
	return -1;
}

static json_t *knees(const struct ipi_fit *fit)
{
	json_t *array = json_array();
	int i;

	for (i = 0; array && i < fit->nr_knee; i++)
		append(&array, json_pack("{s:i,s:o,s:o}", "targets", (int)fit->knee[i].x,
					 "slope_ns", real(fit->knee[i].slope),
					 "slope_error_ns", real(fit->knee[i].slope_err)));
	return array;
}

static json_t *law_of(const struct ipi_law *law)
{
	const struct ipi_fit *fit = &law->fit;

	return json_pack("{s:s,s:s,s:i,s:b,s:s,s:i,s:o,s:o,s:o,s:o,s:o}",
			 "scenario", ipi_scenario__name(law->cell->scenario),
			 "target_state", ipi_target__name(law->cell->target),
			 "src", law->cell->src, "nowait", law->cell->nowait,
			 "stage", ipi_stage__name(IPI_STAGE_TOTAL), "rows", law->nr,
			 "base_ns", real(fit->base), "base_error_ns", real(fit->base_err),
			 "slope_ns", real(fit->slope), "slope_error_ns", real(fit->slope_err),
			 "knees", knees(fit));
}

json_t *ipi_json__fits(const struct ipi_result *result)
{
	json_t *array = json_array();
	struct ipi_law *laws;
	int nr = ipi_law__list(result, &laws);
	int i;

	if (nr < 0) {
		json_decref(array);
		return NULL;
	}
	for (i = 0; array && i < nr; i++)
		append(&array, law_of(&laws[i]));
	free(laws);
	return array;
}

#endif
