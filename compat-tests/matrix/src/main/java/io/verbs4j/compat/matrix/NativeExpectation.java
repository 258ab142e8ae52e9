/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import io.verbs4j.compat.matrix.Expectation.Result;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the rules require of a combination with a release of rdma-core, on a device of the kernel's Soft-RoCE.
 *
 * <ol>
 * <li>The release must be the one that is loaded: library and driver.
 * <li>{@code sz} is the size of that release's {@code struct verbs_context}.
 * <li>Each slot within that size is used, at its fixed offset; none beyond it is.
 * <li>Our table has each verb whose native slot exists.
 * <li>The verbs of level 1 work and move data.
 * <li>A library of level 1 behaves as with every provider: fall-back, or ENOSYS.
 * <li>With a newer library, everything works that the driver's basic verbs can serve. XRC verbs, which this driver
 *     lacks, fail with EOPNOTSUPP in the driver's name, and what needs an XRC object can't be reached.
 * <li>Of level 3 it has completion queues that are read lazily, depending on its driver's release; advice about memory,
 *     depending on the release and on whether the device offers memory that is paged in on demand; and regions by any
 *     address. What needs a clock, moderation, limits, a domain or memory on the device fails with EOPNOTSUPP. If the
 *     release has no slot for a verb, the binding fails so without a call.
 * <li>Of level 4 it has only the buffers that libibverbs allocates itself: importing objects of other contexts requires
 *     libmlx5.
 * </ol>
 */
final class NativeExpectation {
    /** XRC steps that need no other object, so that they reach the driver. */
    private static final Set<String> ASK_THE_DRIVER = Set.of("open_xrcd", "create_qp_ex_xrc_send");

    /** Verbs of level 3 on objects that this driver does not create. */
    private static final Set<String> NEED_AN_OBJECT =
            Set.of("dealloc_td", "reg_dm_mr", "dm_export_dmabuf_fd", "free_dm");

    private static final Result UNREACHED = new Result("unreached", "needs ");

    /** From this level on, verbs are those of rdma-core in its slots, if the driver has them. */
    private static final int GROWN = 3;

    /** The first release whose Soft-RoCE driver has extended completion queues. */
    private static final int LAZY_POLLING = 34;

    /** The first release whose Soft-RoCE driver passes on advice about memory. */
    private static final int ADVICE = 58;

    /** The first release whose libibverbs allocates buffers, by itself if the driver does not. */
    private static final int BUFFERS = 64;

    private static final Set<String> STEPS_OF_BUFFERS = Set.of("alloc_buf", "alloc_buf_transfer", "free_buf");

    private NativeExpectation() {}

    /**
     * Derives the expectation of a combination.
     *
     * @param onDemand whether the device offers memory that is paged in on demand, which depends on its kernel
     */
    static Expectation of(NativeCell cell, boolean onDemand) {
        Cell java = cell.cell();
        Expectation general = Expectation.of(java);
        if (general.outcome() != Outcome.Y) {
            return general;
        }
        Map<String, Result> steps = new LinkedHashMap<>(general.steps());
        for (Step step : java.app().steps()) {
            if (java.library().level() >= step.level()) {
                steps.computeIfPresent(
                        step.group() + " " + step.name(),
                        (name, result) -> step.level() < GROWN
                                ? of(step, result)
                                : ofGrown(step, cell.release().number(), onDemand));
            }
        }
        return new Expectation(general.outcome(), general.words(), steps);
    }

    private static Result of(Step step, Result general) {
        return switch (step.kind()) {
            case ALWAYS, FALLS_BACK, UNKNOWN_BIT, BIT_OF_THE_DEVICE, PAST_THE_LIBRARY, OPERATION -> general;
            case DEPENDENT -> new Result("unreached", "needs ");
            case MISSING ->
                ASK_THE_DRIVER.contains(step.name())
                        ? new Result("EOPNOTSUPP", "the driver refused: this device, or its driver, does not have ")
                        : new Result("unreached", "needs ");
        };
    }

    /**
     * Derives the result of a step of level 3 or later. The kernel's Soft-RoCE has no clock, no moderation, no limits,
     * no domains and no device memory; messages do not say whether it or its driver refused.
     */
    private static Result ofGrown(Step step, int release, boolean onDemand) {
        if (STEPS_OF_BUFFERS.contains(step.name()) && release >= BUFFERS) {
            return new Result(Expectation.WORKS, "");
        }
        return switch (step.kind()) {
            case ALWAYS, FALLS_BACK, OPERATION -> new Result(Expectation.WORKS, "");
            case DEPENDENT -> UNREACHED;
            case MISSING -> ofMissing(step.name(), release, onDemand);
            case UNKNOWN_BIT, BIT_OF_THE_DEVICE -> new Result("EOPNOTSUPP", "");
            case PAST_THE_LIBRARY ->
                release >= LAZY_POLLING ? new Result(Expectation.WORKS, "") : new Result("EOPNOTSUPP", step.verb());
        };
    }

    private static Result ofMissing(String name, int release, boolean onDemand) {
        if (NEED_AN_OBJECT.contains(name)) {
            return UNREACHED;
        }
        boolean there = name.equals("reg_mr_ex_iova") || name.equals("advise_mr") && onDemand && release >= ADVICE;
        return there ? new Result(Expectation.WORKS, "") : new Result("EOPNOTSUPP", "");
    }
}
