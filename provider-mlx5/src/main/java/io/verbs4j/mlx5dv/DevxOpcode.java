/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.mlx5dv;

/**
 * Device commands that can be executed through DevX. There are more; any number may be used. Commands that destroy
 * objects are not among them: the kernel sends those itself. Source: {@code MLX5_CMD_OP_} in rdma-core's
 * providers/mlx5/mlx5_ifc.h and in Linux' include/linux/mlx5/mlx5_ifc.h.
 */
public final class DevxOpcode {
    /** Source: {@code MLX5_CMD_OP_QUERY_HCA_CAP}. */
    public static final int QUERY_HCA_CAP = 0x100;

    /** Source: {@code MLX5_CMD_OP_QUERY_ISSI}. */
    public static final int QUERY_ISSI = 0x10a;

    /** Source: {@code MLX5_CMD_OP_CREATE_MKEY}. */
    public static final int CREATE_MKEY = 0x200;

    /** Source: {@code MLX5_CMD_OP_QUERY_MKEY}. */
    public static final int QUERY_MKEY = 0x201;

    /** Source: {@code MLX5_CMD_OP_CREATE_CQ}. */
    public static final int CREATE_CQ = 0x400;

    /** Source: {@code MLX5_CMD_OP_QUERY_CQ}. */
    public static final int QUERY_CQ = 0x402;

    /** Source: {@code MLX5_CMD_OP_MODIFY_CQ}. */
    public static final int MODIFY_CQ = 0x403;

    /** Source: {@code MLX5_CMD_OP_CREATE_QP}. */
    public static final int CREATE_QP = 0x500;

    /** Source: {@code MLX5_CMD_OP_RST2INIT_QP}. */
    public static final int RST2INIT_QP = 0x502;

    /** Source: {@code MLX5_CMD_OP_INIT2RTR_QP}. */
    public static final int INIT2RTR_QP = 0x503;

    /** Source: {@code MLX5_CMD_OP_RTR2RTS_QP}. */
    public static final int RTR2RTS_QP = 0x504;

    /** Source: {@code MLX5_CMD_OP_RTS2RTS_QP}. */
    public static final int RTS2RTS_QP = 0x505;

    /** Source: {@code MLX5_CMD_OP_SQERR2RTS_QP}. */
    public static final int SQERR2RTS_QP = 0x506;

    /** Source: {@code MLX5_CMD_OP_2ERR_QP}. */
    public static final int QP_2ERR = 0x507;

    /** Source: {@code MLX5_CMD_OP_2RST_QP}. */
    public static final int QP_2RST = 0x50a;

    /** Source: {@code MLX5_CMD_OP_QUERY_QP}. */
    public static final int QUERY_QP = 0x50b;

    /** Source: {@code MLX5_CMD_OP_SQD_RTS_QP}. */
    public static final int SQD_RTS_QP = 0x50c;

    /** Source: {@code MLX5_CMD_OP_INIT2INIT_QP}. */
    public static final int INIT2INIT_QP = 0x50e;

    /** Source: {@code MLX5_CMD_OP_CREATE_PSV}. */
    public static final int CREATE_PSV = 0x600;

    /** Source: {@code MLX5_CMD_OP_QUERY_SRQ}. */
    public static final int QUERY_SRQ = 0x702;

    /** Source: {@code MLX5_CMD_OP_ARM_RQ}. */
    public static final int ARM_RQ = 0x703;

    /** Source: {@code MLX5_CMD_OP_CREATE_XRC_SRQ}. */
    public static final int CREATE_XRC_SRQ = 0x705;

    /** Source: {@code MLX5_CMD_OP_QUERY_XRC_SRQ}. */
    public static final int QUERY_XRC_SRQ = 0x707;

    /** Source: {@code MLX5_CMD_OP_ARM_XRC_SRQ}. */
    public static final int ARM_XRC_SRQ = 0x708;

    /** Source: {@code MLX5_CMD_OP_CREATE_DCT}. */
    public static final int CREATE_DCT = 0x710;

    /** Source: {@code MLX5_CMD_OP_QUERY_DCT}. */
    public static final int QUERY_DCT = 0x713;

    /** Source: {@code MLX5_CMD_OP_ALLOC_Q_COUNTER}. */
    public static final int ALLOC_Q_COUNTER = 0x771;

    /** Source: {@code MLX5_CMD_OP_QUERY_Q_COUNTER}. */
    public static final int QUERY_Q_COUNTER = 0x773;

    /** Source: {@code MLX5_CMD_OP_ALLOC_PD}. */
    public static final int ALLOC_PD = 0x800;

    /** Source: {@code MLX5_CMD_OP_NOP}. */
    public static final int NOP = 0x80d;

    /** Source: {@code MLX5_CMD_OP_ALLOC_XRCD}. */
    public static final int ALLOC_XRCD = 0x80e;

    /** Source: {@code MLX5_CMD_OP_ALLOC_TRANSPORT_DOMAIN}. */
    public static final int ALLOC_TRANSPORT_DOMAIN = 0x816;

    /** Source: {@code MLX5_CMD_OP_QUERY_LAG}. */
    public static final int QUERY_LAG = 0x842;

    /** Source: {@code MLX5_CMD_OP_CREATE_TIR}. */
    public static final int CREATE_TIR = 0x900;

    /** Source: {@code MLX5_CMD_OP_MODIFY_TIR}. */
    public static final int MODIFY_TIR = 0x901;

    /** Source: {@code MLX5_CMD_OP_QUERY_TIR}. */
    public static final int QUERY_TIR = 0x903;

    /** Source: {@code MLX5_CMD_OP_CREATE_SQ}. */
    public static final int CREATE_SQ = 0x904;

    /** Source: {@code MLX5_CMD_OP_MODIFY_SQ}. */
    public static final int MODIFY_SQ = 0x905;

    /** Source: {@code MLX5_CMD_OP_QUERY_SQ}. */
    public static final int QUERY_SQ = 0x907;

    /** Source: {@code MLX5_CMD_OP_CREATE_RQ}. */
    public static final int CREATE_RQ = 0x908;

    /** Source: {@code MLX5_CMD_OP_MODIFY_RQ}. */
    public static final int MODIFY_RQ = 0x909;

    /** Source: {@code MLX5_CMD_OP_QUERY_RQ}. */
    public static final int QUERY_RQ = 0x90b;

    /** Source: {@code MLX5_CMD_OP_CREATE_RMP}. */
    public static final int CREATE_RMP = 0x90c;

    /** Source: {@code MLX5_CMD_OP_MODIFY_RMP}. */
    public static final int MODIFY_RMP = 0x90d;

    /** Source: {@code MLX5_CMD_OP_QUERY_RMP}. */
    public static final int QUERY_RMP = 0x90f;

    /** Source: {@code MLX5_CMD_OP_CREATE_TIS}. */
    public static final int CREATE_TIS = 0x912;

    /** Source: {@code MLX5_CMD_OP_MODIFY_TIS}. */
    public static final int MODIFY_TIS = 0x913;

    /** Source: {@code MLX5_CMD_OP_QUERY_TIS}. */
    public static final int QUERY_TIS = 0x915;

    /** Source: {@code MLX5_CMD_OP_CREATE_RQT}. */
    public static final int CREATE_RQT = 0x916;

    /** Source: {@code MLX5_CMD_OP_MODIFY_RQT}. */
    public static final int MODIFY_RQT = 0x917;

    /** Source: {@code MLX5_CMD_OP_QUERY_RQT}. */
    public static final int QUERY_RQT = 0x919;

    /** Source: {@code MLX5_CMD_OP_CREATE_FLOW_TABLE}. */
    public static final int CREATE_FLOW_TABLE = 0x930;

    /** Source: {@code MLX5_CMD_OP_CREATE_FLOW_GROUP}. */
    public static final int CREATE_FLOW_GROUP = 0x933;

    /** Source: {@code MLX5_CMD_OP_SET_FLOW_TABLE_ENTRY}. */
    public static final int SET_FLOW_TABLE_ENTRY = 0x936;

    /** Source: {@code MLX5_CMD_OP_ALLOC_FLOW_COUNTER}. */
    public static final int ALLOC_FLOW_COUNTER = 0x939;

    /** Source: {@code MLX5_CMD_OP_QUERY_FLOW_COUNTER}. */
    public static final int QUERY_FLOW_COUNTER = 0x93b;

    /** Source: {@code MLX5_CMD_OP_ALLOC_PACKET_REFORMAT_CONTEXT}. */
    public static final int ALLOC_PACKET_REFORMAT_CONTEXT = 0x93d;

    /** Source: {@code MLX5_CMD_OP_ALLOC_MODIFY_HEADER_CONTEXT}. */
    public static final int ALLOC_MODIFY_HEADER_CONTEXT = 0x940;

    /** Source: {@code MLX5_CMD_OP_CREATE_GENERAL_OBJECT}. */
    public static final int CREATE_GENERAL_OBJECT = 0xa00;

    /** Source: {@code MLX5_CMD_OP_MODIFY_GENERAL_OBJECT}. */
    public static final int MODIFY_GENERAL_OBJECT = 0xa01;

    /** Source: {@code MLX5_CMD_OP_QUERY_GENERAL_OBJECT}. */
    public static final int QUERY_GENERAL_OBJECT = 0xa02;

    private DevxOpcode() {}

    /**
     * Returns the name of a command.
     *
     * @param opcode any number
     * @return for instance {@code CREATE_MKEY}, or the number in hex if it is not listed here
     */
    public static String toString(int opcode) {
        return switch (opcode) {
            case QUERY_HCA_CAP -> "QUERY_HCA_CAP";
            case QUERY_ISSI -> "QUERY_ISSI";
            case CREATE_MKEY -> "CREATE_MKEY";
            case QUERY_MKEY -> "QUERY_MKEY";
            case CREATE_CQ -> "CREATE_CQ";
            case QUERY_CQ -> "QUERY_CQ";
            case MODIFY_CQ -> "MODIFY_CQ";
            case CREATE_QP -> "CREATE_QP";
            case RST2INIT_QP -> "RST2INIT_QP";
            case INIT2RTR_QP -> "INIT2RTR_QP";
            case RTR2RTS_QP -> "RTR2RTS_QP";
            case RTS2RTS_QP -> "RTS2RTS_QP";
            case SQERR2RTS_QP -> "SQERR2RTS_QP";
            case QP_2ERR -> "QP_2ERR";
            case QP_2RST -> "QP_2RST";
            case QUERY_QP -> "QUERY_QP";
            case SQD_RTS_QP -> "SQD_RTS_QP";
            case INIT2INIT_QP -> "INIT2INIT_QP";
            case CREATE_PSV -> "CREATE_PSV";
            case QUERY_SRQ -> "QUERY_SRQ";
            case ARM_RQ -> "ARM_RQ";
            case CREATE_XRC_SRQ -> "CREATE_XRC_SRQ";
            case QUERY_XRC_SRQ -> "QUERY_XRC_SRQ";
            case ARM_XRC_SRQ -> "ARM_XRC_SRQ";
            case CREATE_DCT -> "CREATE_DCT";
            case QUERY_DCT -> "QUERY_DCT";
            case ALLOC_Q_COUNTER -> "ALLOC_Q_COUNTER";
            case QUERY_Q_COUNTER -> "QUERY_Q_COUNTER";
            case ALLOC_PD -> "ALLOC_PD";
            case NOP -> "NOP";
            case ALLOC_XRCD -> "ALLOC_XRCD";
            case ALLOC_TRANSPORT_DOMAIN -> "ALLOC_TRANSPORT_DOMAIN";
            case QUERY_LAG -> "QUERY_LAG";
            case CREATE_TIR -> "CREATE_TIR";
            case MODIFY_TIR -> "MODIFY_TIR";
            case QUERY_TIR -> "QUERY_TIR";
            case CREATE_SQ -> "CREATE_SQ";
            case MODIFY_SQ -> "MODIFY_SQ";
            case QUERY_SQ -> "QUERY_SQ";
            case CREATE_RQ -> "CREATE_RQ";
            case MODIFY_RQ -> "MODIFY_RQ";
            case QUERY_RQ -> "QUERY_RQ";
            case CREATE_RMP -> "CREATE_RMP";
            case MODIFY_RMP -> "MODIFY_RMP";
            case QUERY_RMP -> "QUERY_RMP";
            case CREATE_TIS -> "CREATE_TIS";
            case MODIFY_TIS -> "MODIFY_TIS";
            case QUERY_TIS -> "QUERY_TIS";
            case CREATE_RQT -> "CREATE_RQT";
            case MODIFY_RQT -> "MODIFY_RQT";
            case QUERY_RQT -> "QUERY_RQT";
            case CREATE_FLOW_TABLE -> "CREATE_FLOW_TABLE";
            case CREATE_FLOW_GROUP -> "CREATE_FLOW_GROUP";
            case SET_FLOW_TABLE_ENTRY -> "SET_FLOW_TABLE_ENTRY";
            case ALLOC_FLOW_COUNTER -> "ALLOC_FLOW_COUNTER";
            case QUERY_FLOW_COUNTER -> "QUERY_FLOW_COUNTER";
            case ALLOC_PACKET_REFORMAT_CONTEXT -> "ALLOC_PACKET_REFORMAT_CONTEXT";
            case ALLOC_MODIFY_HEADER_CONTEXT -> "ALLOC_MODIFY_HEADER_CONTEXT";
            case CREATE_GENERAL_OBJECT -> "CREATE_GENERAL_OBJECT";
            case MODIFY_GENERAL_OBJECT -> "MODIFY_GENERAL_OBJECT";
            case QUERY_GENERAL_OBJECT -> "QUERY_GENERAL_OBJECT";
            default -> String.format("0x%x", opcode);
        };
    }
}
