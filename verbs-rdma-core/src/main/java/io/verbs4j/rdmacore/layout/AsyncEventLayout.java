/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_async_event}: an asynchronous event.
 *
 * <pre>
 * 0 element(8)  0 element.port_num(4)  8 event_type(4)    16 in all
 * </pre>
 */
@CStruct("struct ibv_async_event")
public final class AsyncEventLayout {
    @CSize(size = 16)
    public static final int SIZEOF = 16;

    @CField(value = "element", size = 8)
    public static final int ELEMENT = 0;

    @CField(value = "element.port_num", size = 4)
    public static final int ELEMENT_PORT_NUM = 0;

    @CField(value = "event_type", size = 4)
    public static final int EVENT_TYPE = 8;

    private AsyncEventLayout() {}
}
