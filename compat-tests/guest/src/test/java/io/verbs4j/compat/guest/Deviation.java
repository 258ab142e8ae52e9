/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The places where the kernel's rdma_rxe departs from a rule of the kit, or from a test of the embedded device's
 * behaviour. Each run confirms a deviation twice: our test fails in this way and no other, and a C program on
 * libibverbs alone sees the same. A deviation that has disappeared fails the run.
 */
enum Deviation {
    ANY_PKEY_INDEX(
            "modify_qp takes a P_Key index beyond the table",
            "P_Key index 1 was accepted",
            "R3.08",
            "modify to INIT with P_Key index 1: 0",
            "",
            "R3.08"),
    LOCAL_ERRORS_AS_FLUSH(
            "a send whose local memory can't be read, and a failed bind, end as a flush: the error is set, then the"
                    + " queue is flushed",
            "(is|was:?) \"?Work Request Flushed Error",
            "R7.01",
            "send with a wrong local key: Work Request Flushed Error",
            "7.",
            "R7.01",
            "R7.02",
            "R7.03",
            "R7.04",
            "R14.07",
            "R14.10",
            "RcErrorPathsTest.localKeysAreCheckedOnSending",
            "UcPathsTest.localErrorStopsSendQueueOnly"),
    LOCAL_ERRORS_AS_OPERATION(
            "a send whose local memory can't be read ends as a local operation error",
            "is local QP operation error",
            "R7.01",
            "send with a wrong local key: local QP operation error",
            "6.1.",
            "R7.01",
            "R7.03",
            "R7.04"),
    SMALL_RECEIVES(
            "a receive that is too small, or that may not be written, is a malformed request to the responder: a"
                    + " local operation error here, a remote operation error there",
            "(is|was:?) \"?(local QP|remote) operation error",
            "R7.09",
            "local QP operation error, sender: remote operation error",
            "",
            "R7.09",
            "R10.03",
            "RcErrorPathsTest.tooSmallReceiveFailsBothSides"),
    RECEIVES_THAT_MAY_NOT_BE_WRITTEN(
            "a receive into memory that may not be written is a malformed request, a local operation error",
            "(is|was:?) \"?local QP operation error",
            "R7.10",
            "may not be written: local QP operation error",
            "",
            "R7.10",
            "RcErrorPathsTest.receiveIntoOtherDomainFailsBothSides"),
    WINDOWS_WITHOUT_BOUNDS(
            "the bounds of a memory window are not checked, only those of its region",
            "(is|was:?) \"?success",
            "R7.11",
            "write of 101 bytes to a window of 100: success",
            "",
            "R7.11",
            "R14.04",
            "RcErrorPathsTest.accessBeyondWindowFails"),
    ON_DEMAND_LOSES(
            "what is written to memory that is paged in on demand does not all arrive, and is answered with success",
            "is not as sent",
            "R18.06",
            "paged in on demand: success, lost: some",
            "7.",
            "R18.06"),
    RECEIVES_IN_ERR(
            "a receive that is posted in state ERR is not flushed, unless the flush of those before it is still under"
                    + " way",
            "no completion in",
            "R10.02",
            "receive posted in ERR: no completion, send posted in ERR: Work Request Flushed Error",
            "",
            "R10.02",
            "RcErrorPathsTest.errorFlushesBothQueues"),
    CAPACITIES(
            "create_qp and create_srq do not report how far the capacities exceed the requested ones; query does",
            "of query is 7, not 5",
            "R2.06",
            "made with 5, query tells 7",
            "6.1.",
            "R2.06",
            "R8.04"),
    NO_LAST_REQUEST_EVENT(
            "no event reports that a queue pair in state ERR takes no more from its shared receive queue",
            "no event last WQE reached",
            "R8.06",
            "ERR with a shared receive queue: no event",
            "6.1.",
            "R8.06"),
    NO_COMMUNICATION_EVENT(
            "no event reports that a request arrived at a queue pair in state RTR",
            "event communication established",
            "RTR",
            "RTR: success, no event",
            "",
            "RcPathsTest.writeRaisesCommEstAndTakesPsnPerPacket"),
    DRAINED_STAYS(
            "what is posted while the send queue is drained is not sent when the queue pair is ready again, unless"
                    + " something else wakes it",
            "no completion in",
            "SQD",
            "RTS again: no completion",
            "",
            "RcPathsTest.writesWaitInSqd"),
    LARGE_DATAGRAMS(
            "a datagram larger than the MTU is accepted and never sent, as the architecture requires (C10-93.1.1)",
            "but was: 0",
            "UD-large",
            "datagram of 4097 bytes: success",
            "",
            "UdPathsTest.datagramAboveMtuIsRefusedAtPost"),
    SMALL_RECEIVES_OF_DATAGRAMS(
            "a datagram that is too large for its receive ends it as a local operation error",
            "but was: \"local QP operation error",
            "UD-small",
            "received into 49: local QP operation error",
            "6.1.",
            "UdPathsTest.tooLongDatagramIsLostAndReceiveStays");

    /** The kernels whose deviations are known. */
    private static final List<String> MEASURED = List.of("6.1.", "7.2");

    /** Deviations that depend on timing, so that a run may miss them. */
    private static final List<Deviation> BY_CHANCE = List.of(RECEIVES_IN_ERR);

    final String why;
    final String cName;
    private final Pattern seen;
    private final Pattern seenInC;
    private final String kernel;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable, but its type does not show it
    private final List<String> tests;

    Deviation(String why, String seen, String cName, String seenInC, String kernel, String... tests) {
        this.why = why;
        this.seen = Pattern.compile(seen);
        this.cName = cName;
        this.seenInC = Pattern.compile(seenInC);
        this.kernel = kernel;
        this.tests = List.of(tests);
    }

    /**
     * Returns the known deviation of a test on a kernel.
     *
     * @param inC what the C program saw there, by {@link #cName}
     */
    static Optional<Deviation> of(String test, String kernel, Map<String, String> inC) {
        return Arrays.stream(values())
                .filter(d -> d.tests.contains(test) && d.isOn(kernel, inC))
                .findFirst();
    }

    /** Whether a kernel deviates: for a measured kernel, as measured; for any other, if the C program sees it. */
    boolean isOn(String release, Map<String, String> inC) {
        boolean measured = MEASURED.stream().anyMatch(release::startsWith);
        return measured ? release.startsWith(kernel) : isSeenInC(inC.getOrDefault(cName, ""));
    }

    /** Whether a test failed in the known way. */
    boolean explains(String said) {
        return seen.matcher(said).find();
    }

    /** Whether the C program saw it. */
    boolean isSeenInC(String said) {
        return seenInC.matcher(said).find();
    }

    boolean isByChance() {
        return BY_CHANCE.contains(this);
    }
}
