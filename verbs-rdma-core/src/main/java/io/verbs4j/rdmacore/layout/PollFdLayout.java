/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct pollfd}: what to wait for with {@code poll(2)}.
 *
 * <pre>
 * 0 fd(4)  4 events(2)  6 revents(2)    8 in all
 * </pre>
 */
@CStruct(value = "struct pollfd", header = "poll.h")
public final class PollFdLayout {
    @CSize(size = 8)
    public static final int SIZEOF = 8;

    @CField(value = "fd", size = 4)
    public static final int FD = 0;

    @CField(value = "events", size = 2)
    public static final int EVENTS = 4;

    @CField(value = "revents", size = 2)
    public static final int REVENTS = 6;

    private PollFdLayout() {}
}
