/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.marshal;

import static io.verbs4j.rdmacore.call.Answers.narrow;

import io.verbs4j.QpAttr;
import io.verbs4j.QpAttrMask;
import io.verbs4j.QpCap;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.layout.QpAttrLayout;
import io.verbs4j.rdmacore.layout.QpCapLayout;
import java.util.function.IntConsumer;

/** Converts attributes and capacities of queue pairs. */
public final class QpAttrs {
    private QpAttrs() {}

    /** Writes the attributes in the mask to a {@code struct ibv_qp_attr}, which must be zero. */
    public static void write(String verb, long at, QpAttr attr, int mask) {
        putInt(at + QpAttrLayout.QP_STATE, mask, QpAttrMask.STATE, attr.qpState());
        putInt(at + QpAttrLayout.CUR_QP_STATE, mask, QpAttrMask.CUR_STATE, attr.curQpState());
        putInt(at + QpAttrLayout.PATH_MTU, mask, QpAttrMask.PATH_MTU, attr.pathMtu());
        putInt(at + QpAttrLayout.PATH_MIG_STATE, mask, QpAttrMask.PATH_MIG_STATE, attr.pathMigState());
        putInt(at + QpAttrLayout.QKEY, mask, QpAttrMask.QKEY, attr.qkey());
        putInt(at + QpAttrLayout.RQ_PSN, mask, QpAttrMask.RQ_PSN, attr.rqPsn());
        putInt(at + QpAttrLayout.SQ_PSN, mask, QpAttrMask.SQ_PSN, attr.sqPsn());
        putInt(at + QpAttrLayout.DEST_QP_NUM, mask, QpAttrMask.DEST_QPN, attr.destQpNum());
        putInt(at + QpAttrLayout.QP_ACCESS_FLAGS, mask, QpAttrMask.ACCESS_FLAGS, attr.qpAccessFlags());
        if ((mask & QpAttrMask.CAP) != 0) {
            writeCap(at + QpAttrLayout.CAP, attr.cap());
        }
        if ((mask & QpAttrMask.AV) != 0) {
            AhAttrs.write(verb, at + QpAttrLayout.AH_ATTR, attr.ahAttr());
        }
        if ((mask & QpAttrMask.ALT_PATH) != 0) {
            AhAttrs.write(verb, at + QpAttrLayout.ALT_AH_ATTR, attr.altAhAttr());
            putShort(verb, at + QpAttrLayout.ALT_PKEY_INDEX, "alternate P_Key index", attr.altPkeyIndex());
            AhAttrs.putByte(verb, at + QpAttrLayout.ALT_PORT_NUM, "alternate port", attr.altPortNum());
            AhAttrs.putByte(verb, at + QpAttrLayout.ALT_TIMEOUT, "alternate timeout", attr.altTimeout());
        }
        if ((mask & QpAttrMask.PKEY_INDEX) != 0) {
            putShort(verb, at + QpAttrLayout.PKEY_INDEX, "P_Key index", attr.pkeyIndex());
        }
        int notify = attr.enSqdAsyncNotify() ? 1 : 0;
        put(verb, at + QpAttrLayout.EN_SQD_ASYNC_NOTIFY, mask, QpAttrMask.EN_SQD_ASYNC_NOTIFY, "notify", notify);
        put(
                verb,
                at + QpAttrLayout.MAX_RD_ATOMIC,
                mask,
                QpAttrMask.MAX_QP_RD_ATOMIC,
                "maxRdAtomic",
                attr.maxRdAtomic());
        put(
                verb,
                at + QpAttrLayout.MAX_DEST_RD_ATOMIC,
                mask,
                QpAttrMask.MAX_DEST_RD_ATOMIC,
                "maxDestRdAtomic",
                attr.maxDestRdAtomic());
        put(verb, at + QpAttrLayout.MIN_RNR_TIMER, mask, QpAttrMask.MIN_RNR_TIMER, "minRnrTimer", attr.minRnrTimer());
        put(verb, at + QpAttrLayout.PORT_NUM, mask, QpAttrMask.PORT, "port", attr.portNum());
        put(verb, at + QpAttrLayout.TIMEOUT, mask, QpAttrMask.TIMEOUT, "timeout", attr.timeout());
        put(verb, at + QpAttrLayout.RETRY_CNT, mask, QpAttrMask.RETRY_CNT, "retryCnt", attr.retryCnt());
        put(verb, at + QpAttrLayout.RNR_RETRY, mask, QpAttrMask.RNR_RETRY, "rnrRetry", attr.rnrRetry());
    }

    private static void putInt(long at, int mask, int bit, int value) {
        if ((mask & bit) != 0) {
            NativeMemory.putInt(at, value);
        }
    }

    private static void put(String verb, long at, int mask, int bit, String name, int value) {
        if ((mask & bit) != 0) {
            AhAttrs.putByte(verb, at, name, value);
        }
    }

    private static void putShort(String verb, long at, String name, int value) {
        NativeMemory.putShort(at, narrow(verb, name, value, 0xffff));
    }

    /** Reads all attributes of a {@code struct ibv_qp_attr}. */
    public static void read(long at, QpAttr attr) {
        attr.qpState(NativeMemory.getInt(at + QpAttrLayout.QP_STATE))
                .curQpState(NativeMemory.getInt(at + QpAttrLayout.CUR_QP_STATE))
                .pathMtu(NativeMemory.getInt(at + QpAttrLayout.PATH_MTU))
                .pathMigState(NativeMemory.getInt(at + QpAttrLayout.PATH_MIG_STATE))
                .qkey(NativeMemory.getInt(at + QpAttrLayout.QKEY))
                .rqPsn(NativeMemory.getInt(at + QpAttrLayout.RQ_PSN))
                .sqPsn(NativeMemory.getInt(at + QpAttrLayout.SQ_PSN))
                .destQpNum(NativeMemory.getInt(at + QpAttrLayout.DEST_QP_NUM))
                .qpAccessFlags(NativeMemory.getInt(at + QpAttrLayout.QP_ACCESS_FLAGS))
                .cap(readCap(at + QpAttrLayout.CAP, new QpCap()))
                .ahAttr(AhAttrs.read(at + QpAttrLayout.AH_ATTR))
                .altAhAttr(AhAttrs.read(at + QpAttrLayout.ALT_AH_ATTR))
                .pkeyIndex(NativeMemory.getShort(at + QpAttrLayout.PKEY_INDEX))
                .altPkeyIndex(NativeMemory.getShort(at + QpAttrLayout.ALT_PKEY_INDEX))
                .enSqdAsyncNotify(NativeMemory.getByte(at + QpAttrLayout.EN_SQD_ASYNC_NOTIFY) != 0)
                .sqDraining(NativeMemory.getByte(at + QpAttrLayout.SQ_DRAINING) != 0)
                .maxRdAtomic(NativeMemory.getByte(at + QpAttrLayout.MAX_RD_ATOMIC))
                .maxDestRdAtomic(NativeMemory.getByte(at + QpAttrLayout.MAX_DEST_RD_ATOMIC))
                .minRnrTimer(NativeMemory.getByte(at + QpAttrLayout.MIN_RNR_TIMER))
                .portNum(NativeMemory.getByte(at + QpAttrLayout.PORT_NUM))
                .timeout(NativeMemory.getByte(at + QpAttrLayout.TIMEOUT))
                .retryCnt(NativeMemory.getByte(at + QpAttrLayout.RETRY_CNT))
                .rnrRetry(NativeMemory.getByte(at + QpAttrLayout.RNR_RETRY))
                .altPortNum(NativeMemory.getByte(at + QpAttrLayout.ALT_PORT_NUM))
                .altTimeout(NativeMemory.getByte(at + QpAttrLayout.ALT_TIMEOUT));
    }

    /**
     * Reads the attributes of a {@code struct ibv_qp_attr} that are in the mask and that connecting needs; the result's
     * mask contains them.
     */
    public static QpAttr readMasked(long at, int mask) {
        QpAttr all = new QpAttr();
        read(at, all);
        QpAttr attr = new QpAttr();
        take(mask, QpAttrMask.STATE, attr::qpState, all.qpState());
        take(mask, QpAttrMask.ACCESS_FLAGS, attr::qpAccessFlags, all.qpAccessFlags());
        take(mask, QpAttrMask.PKEY_INDEX, attr::pkeyIndex, all.pkeyIndex());
        take(mask, QpAttrMask.PORT, attr::portNum, all.portNum());
        take(mask, QpAttrMask.QKEY, attr::qkey, all.qkey());
        take(mask, QpAttrMask.PATH_MTU, attr::pathMtu, all.pathMtu());
        take(mask, QpAttrMask.TIMEOUT, attr::timeout, all.timeout());
        take(mask, QpAttrMask.RETRY_CNT, attr::retryCnt, all.retryCnt());
        take(mask, QpAttrMask.RNR_RETRY, attr::rnrRetry, all.rnrRetry());
        take(mask, QpAttrMask.RQ_PSN, attr::rqPsn, all.rqPsn());
        take(mask, QpAttrMask.SQ_PSN, attr::sqPsn, all.sqPsn());
        take(mask, QpAttrMask.DEST_QPN, attr::destQpNum, all.destQpNum());
        take(mask, QpAttrMask.MAX_QP_RD_ATOMIC, attr::maxRdAtomic, all.maxRdAtomic());
        take(mask, QpAttrMask.MAX_DEST_RD_ATOMIC, attr::maxDestRdAtomic, all.maxDestRdAtomic());
        take(mask, QpAttrMask.MIN_RNR_TIMER, attr::minRnrTimer, all.minRnrTimer());
        take(mask, QpAttrMask.PATH_MIG_STATE, attr::pathMigState, all.pathMigState());
        if ((mask & QpAttrMask.AV) != 0) {
            attr.ahAttr(all.ahAttr());
        }
        return attr;
    }

    private static void take(int mask, int bit, IntConsumer setter, int value) {
        if ((mask & bit) != 0) {
            setter.accept(value);
        }
    }

    /** Writes a {@code struct ibv_qp_cap}. */
    public static void writeCap(long at, QpCap cap) {
        NativeMemory.putInt(at + QpCapLayout.MAX_SEND_WR, cap.maxSendWr());
        NativeMemory.putInt(at + QpCapLayout.MAX_RECV_WR, cap.maxRecvWr());
        NativeMemory.putInt(at + QpCapLayout.MAX_SEND_SGE, cap.maxSendSge());
        NativeMemory.putInt(at + QpCapLayout.MAX_RECV_SGE, cap.maxRecvSge());
        NativeMemory.putInt(at + QpCapLayout.MAX_INLINE_DATA, cap.maxInlineData());
    }

    /** Reads a {@code struct ibv_qp_cap}. */
    public static QpCap readCap(long at, QpCap cap) {
        return cap.maxSendWr(NativeMemory.getInt(at + QpCapLayout.MAX_SEND_WR))
                .maxRecvWr(NativeMemory.getInt(at + QpCapLayout.MAX_RECV_WR))
                .maxSendSge(NativeMemory.getInt(at + QpCapLayout.MAX_SEND_SGE))
                .maxRecvSge(NativeMemory.getInt(at + QpCapLayout.MAX_RECV_SGE))
                .maxInlineData(NativeMemory.getInt(at + QpCapLayout.MAX_INLINE_DATA));
    }
}
