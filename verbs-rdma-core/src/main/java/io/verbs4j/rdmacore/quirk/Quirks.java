/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.quirk;

/**
 * Where a driver deviates from what {@code verbs.h} promises, and what is known of it that C has no way to report. This
 * class describes a driver without deviations; the subclass of a known driver overrides the methods that it needs.
 * Objects read what they need once, when they are created, so the data path asks nothing. Immutable.
 */
public class Quirks {
    /** A driver of which no deviation is known. */
    public static final Quirks NONE = new Quirks();

    /** For the drivers of this package. */
    Quirks() {}

    // ---- capabilities

    /**
     * {@return the access flags that the driver supports, if the device has what they need,
     * {@link io.verbs4j.AccessFlags} bits; 0 if neither these nor {@link #createFlags} are known}
     */
    public int accessFlags() {
        return 0;
    }

    /**
     * {@return the creation flags of queue pairs that the driver supports, if the device has what they need,
     * {@link io.verbs4j.QpCreateFlags} bits}
     */
    public int createFlags() {
        return 0;
    }

    /** {@return whether the driver may have operations that only {@code ibv_wr_*} can post, so that a trial tells} */
    public boolean mayBuildMore() {
        return false;
    }

    /** {@return whether the driver is known to import objects; any other is asked by a trial} */
    public boolean importsObjects() {
        return false;
    }

    // ---- memory regions and windows

    /** {@return why regions must not be paged on demand, nor advised of, for a message; null if they may} */
    public String onDemandProblem() {
        return null;
    }

    /** {@return whether the driver reads the region of a bind even if there is none} */
    public boolean bindReadsTheRegion() {
        return false;
    }

    /**
     * Returns why memory windows must not be bound by the loaded library, for a message; null if they may. Loads the
     * vendor's library.
     */
    public String bindProblem() {
        return null;
    }

    /** {@return whether requests about windows that are not known to be valid must not reach the device} */
    public boolean needsValidWindows() {
        return false;
    }

    // ---- completions

    /**
     * Returns how many completions of destroyed queue pairs a queue may hold if polling stops at each one, fails with
     * EINVAL or returns fewer than there are, and then continues behind it; 0 for drivers that remove them.
     */
    public int mostStrangers() {
        return 0;
    }

    /**
     * {@return whether the driver passes on the kernel's completion flag for a key, whose number differs from the
     * library's}
     */
    public boolean tellsKeysByKernelsFlag() {
        return false;
    }

    /**
     * Returns whether the driver's {@code next_poll} ends reading by itself if it finds nothing; the {@code end_poll}
     * that must follow then drops a completion that nobody has read.
     */
    public boolean endsReadingTwice() {
        return false;
    }

    /** {@return whether wall-clock times are to be computed by {@link #clock}, from ticks, instead of the driver} */
    public boolean needsClock() {
        return false;
    }

    /**
     * Creates the clock of a queue.
     *
     * @param context the {@code struct ibv_context}
     * @throws io.verbs4j.VerbsException if the kernel provides no time for the device
     */
    public TickClock clock(long context) {
        throw new UnsupportedOperationException(); // see needsClock
    }

    // ---- queues

    /**
     * Returns whether the driver copies small messages from completions to the address in a request without checking
     * it, except for queue pairs that {@link #createQpWithoutCopies} creates.
     */
    public boolean copiesFromCompletions() {
        return false;
    }

    /**
     * Creates a queue pair for which the driver does not copy from completions.
     *
     * @param context the {@code struct ibv_context}
     * @param attr the {@code struct ibv_qp_init_attr_ex}
     * @return the {@code struct ibv_qp}, or 0
     */
    public long createQpWithoutCopies(long context, long attr) {
        throw new UnsupportedOperationException(); // see copiesFromCompletions
    }

    /**
     * {@return why queue pairs that another process has created must not be opened, for a message; null if they may}
     */
    public String openQpProblem() {
        return null;
    }

    /** {@return whether a request by {@code ibv_wr_*} that finds the queue full spoils the one before it} */
    public boolean spoilsFullQueue() {
        return false;
    }

    /**
     * Returns whether the driver reserves some elements of a shared receive queue for itself, so that the capacities
     * that it reports are more than the program's.
     */
    public boolean reservesSrqElements() {
        return false;
    }
}
