/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.layout;

/**
 * {@code struct ibv_port_attr}: a port.
 *
 * <pre>
 * 0 state(4)  4 max_mtu(4)  8 active_mtu(4)  12 gid_tbl_len(4)  16 port_cap_flags(4)  20 max_msg_sz(4)
 * 24 bad_pkey_cntr(4)  28 qkey_viol_cntr(4)  32 pkey_tbl_len(2)  34 lid(2)  36 sm_lid(2)  38 lmc(1)
 * 39 max_vl_num(1)  40 sm_sl(1)  41 subnet_timeout(1)  42 init_type_reply(1)  43 active_width(1)
 * 44 active_speed(1)  45 phys_state(1)  46 link_layer(1)  47 flags(1)  48 port_cap_flags2(2)
 * 52 active_speed_ex(4)@49    56 in all
 * in all, by release: 48 from 12, 52 from 22, 56 from 49
 * </pre>
 */
@CStruct("struct ibv_port_attr")
public final class PortAttrLayout {
    @CSize(size = 48)
    @CSize(since = 22, size = 52)
    @CSize(since = 49, size = 56)
    public static final int SIZEOF = 56;

    @CField(value = "state", size = 4)
    public static final int STATE = 0;

    @CField(value = "max_mtu", size = 4)
    public static final int MAX_MTU = 4;

    @CField(value = "active_mtu", size = 4)
    public static final int ACTIVE_MTU = 8;

    @CField(value = "gid_tbl_len", size = 4)
    public static final int GID_TBL_LEN = 12;

    @CField(value = "port_cap_flags", size = 4)
    public static final int PORT_CAP_FLAGS = 16;

    @CField(value = "max_msg_sz", size = 4)
    public static final int MAX_MSG_SZ = 20;

    @CField(value = "bad_pkey_cntr", size = 4)
    public static final int BAD_PKEY_CNTR = 24;

    @CField(value = "qkey_viol_cntr", size = 4)
    public static final int QKEY_VIOL_CNTR = 28;

    @CField(value = "pkey_tbl_len", size = 2)
    public static final int PKEY_TBL_LEN = 32;

    @CField(value = "lid", size = 2)
    public static final int LID = 34;

    @CField(value = "sm_lid", size = 2)
    public static final int SM_LID = 36;

    @CField(value = "lmc", size = 1)
    public static final int LMC = 38;

    @CField(value = "max_vl_num", size = 1)
    public static final int MAX_VL_NUM = 39;

    @CField(value = "sm_sl", size = 1)
    public static final int SM_SL = 40;

    @CField(value = "subnet_timeout", size = 1)
    public static final int SUBNET_TIMEOUT = 41;

    @CField(value = "init_type_reply", size = 1)
    public static final int INIT_TYPE_REPLY = 42;

    @CField(value = "active_width", size = 1)
    public static final int ACTIVE_WIDTH = 43;

    @CField(value = "active_speed", size = 1)
    public static final int ACTIVE_SPEED = 44;

    @CField(value = "phys_state", size = 1)
    public static final int PHYS_STATE = 45;

    @CField(value = "link_layer", size = 1)
    public static final int LINK_LAYER = 46;

    @CField(value = "flags", size = 1, since = 20)
    public static final int FLAGS = 47;

    @CField(value = "port_cap_flags2", size = 2, since = 22)
    public static final int PORT_CAP_FLAGS2 = 48;

    @CField(value = "active_speed_ex", size = 4, since = 49)
    public static final int ACTIVE_SPEED_EX = 52;

    private PortAttrLayout() {}
}
