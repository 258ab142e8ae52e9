/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.Expectation.Result;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the rules say of a combination with a release of rdma-core, on a device of the kernel's Soft-RoCE.
 *
 * <ol>
 *   <li>The release must be the one that is loaded: library and driver.
 *   <li>{@code sz} is the size of that release's {@code struct verbs_context}.
 *   <li>Each slot within that size is used, from where it has always been; none beyond is.
 *   <li>Our table has each verb whose native slot is there.
 *   <li>The verbs of level 1 work and move data.
 *   <li>A library of level 1 answers as with every provider: fall-back, or ENOSYS.
 *   <li>With a newer one, what the driver's basic verbs can serve works; what is XRC, which this driver lacks, answers
 *       EOPNOTSUPP in the driver's name, and what needs an object of XRC can't be reached.
 * </ol>
 */
final class NativeExpectation {
    /** Steps of XRC that need nothing of another: so it is the driver that they hear from. */
    private static final Set<String> ASK_THE_DRIVER = Set.of("open_xrcd", "create_qp_ex_xrc_send");

    private NativeExpectation() {}

    static Expectation of(NativeCell cell) {
        Cell java = cell.cell();
        Expectation general = Expectation.of(java);
        if (general.outcome() != Outcome.Y) {
            return general;
        }
        Map<String, Result> steps = new LinkedHashMap<>(general.steps());
        for (Step step : java.app().steps()) {
            if (java.library().level() >= step.level()) {
                steps.computeIfPresent(step.group() + " " + step.name(), (name, result) -> of(step, result));
            }
        }
        return new Expectation(general.outcome(), general.words(), steps);
    }

    private static Result of(Step step, Result general) {
        return switch (step.kind()) {
            case ALWAYS, FALLS_BACK, UNKNOWN_BIT, BIT_OF_THE_DEVICE -> general;
            case DEPENDENT -> new Result("unreached", "needs ");
            case MISSING ->
                ASK_THE_DRIVER.contains(step.name())
                        ? new Result("EOPNOTSUPP", "the driver refused: this device, or its driver, does not have ")
                        : new Result("unreached", "needs ");
        };
    }
}
