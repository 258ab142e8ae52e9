/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_gid_entry}: an entry of the GID table.
 *
 * <pre>
 * 0 gid(16)  16 gid_index(4)  20 port_num(4)  24 gid_type(4)  28 ndev_ifindex(4)    32 in all
 * </pre>
 */
@CStruct(value = "struct ibv_gid_entry", since = 32)
public final class GidEntryLayout {
    @CSize(since = 32, size = 32)
    public static final int SIZEOF = 32;

    @CField(value = "gid", size = 16, since = 32)
    public static final int GID = 0;

    @CField(value = "gid_index", size = 4, since = 32)
    public static final int GID_INDEX = 16;

    @CField(value = "port_num", size = 4, since = 32)
    public static final int PORT_NUM = 20;

    @CField(value = "gid_type", size = 4, since = 32)
    public static final int GID_TYPE = 24;

    @CField(value = "ndev_ifindex", size = 4, since = 32)
    public static final int NDEV_IFINDEX = 28;

    private GidEntryLayout() {}
}
