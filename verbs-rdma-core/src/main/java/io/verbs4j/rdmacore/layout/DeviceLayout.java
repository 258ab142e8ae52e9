/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_device}: a device of the list.
 *
 * <pre>
 * 16 node_type(4)  20 transport_type(4)  24 name(64)  88 dev_name(64)  152 dev_path(256)  408 ibdev_path(256)    664 in all
 * </pre>
 */
@CStruct("struct ibv_device")
public final class DeviceLayout {
    @CSize(size = 664)
    public static final int SIZEOF = 664;

    @CField(value = "node_type", size = 4)
    public static final int NODE_TYPE = 16;

    @CField(value = "transport_type", size = 4)
    public static final int TRANSPORT_TYPE = 20;

    @CField(value = "name", size = 64)
    public static final int NAME = 24;

    @CField(value = "dev_name", size = 64)
    public static final int DEV_NAME = 88;

    @CField(value = "dev_path", size = 256)
    public static final int DEV_PATH = 152;

    @CField(value = "ibdev_path", size = 256)
    public static final int IBDEV_PATH = 408;

    private DeviceLayout() {}
}
