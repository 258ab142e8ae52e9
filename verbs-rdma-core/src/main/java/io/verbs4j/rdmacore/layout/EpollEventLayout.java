/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct epoll_event}: an event of {@code epoll_wait(2)}; on x86-64 it is packed.
 *
 * <pre>
 * x86-64   0 events(4)  4 data(8)    12 in all
 * others   0 events(4)  8 data(8)    16 in all
 * </pre>
 */
@CStruct(value = "struct epoll_event", header = "sys/epoll.h")
public final class EpollEventLayout {
    @CIf("defined(__x86_64__)")
    @CSize(size = 12)
    public static final int SIZEOF_X86_64 = 12;

    @CIf("!defined(__x86_64__)")
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "events", size = 4)
    public static final int EVENTS = 0;

    @CIf("defined(__x86_64__)")
    @CField(value = "data", size = 8)
    public static final int DATA_X86_64 = 4;

    @CIf("!defined(__x86_64__)")
    @CField(value = "data", size = 8)
    public static final int DATA = 8;

    private EpollEventLayout() {}
}
