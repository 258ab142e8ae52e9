/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm.layout;

import io.verbs4j.rdmacore.layout.CField;
import io.verbs4j.rdmacore.layout.CSize;
import io.verbs4j.rdmacore.layout.CStruct;

/**
 * {@code struct rdma_event_channel}: where events come out of, nothing but a descriptor.
 *
 * <pre>
 * 0 fd(4)    4 in all
 * </pre>
 */
@CStruct(value = "struct rdma_event_channel", header = "rdma/rdma_cma.h")
public final class EventChannelLayout {
    @CSize(size = 4)
    public static final int SIZEOF = 4;

    @CField(value = "fd", size = 4)
    public static final int FD = 0;

    private EventChannelLayout() {}
}
