/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.rdmacore.cm;

import io.verbs4j.DeviceAttr;
import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.cm.ConnParam;
import io.verbs4j.cm.UdParam;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import io.verbs4j.rdmacore.cm.layout.ConnParamLayout;
import io.verbs4j.rdmacore.cm.layout.UdParamLayout;
import io.verbs4j.rdmacore.marshal.AhAttrs;

/** Converts connection parameters to C and back. */
final class CmParams {
    private static final int MAX_RETRIES = 7;
    private static final int QPN = 0xff_ffff;

    /** In C the length is a byte; the kernel enforces the lower limits of the messages. */
    private static final int MAX_PRIVATE_DATA = 0xff;

    private CmParams() {}

    /** Copies private data to native memory. */
    static Scratch privateData(String verb, byte[] data) {
        if (data.length > MAX_PRIVATE_DATA) {
            throw new VerbsException(
                    Errno.EINVAL,
                    verb,
                    "private data of " + data.length + " bytes; no message carries more than " + MAX_PRIVATE_DATA);
        }
        Scratch memory = new Scratch(Math.max(1, data.length));
        NativeMemory.putBytes(memory.address(), data);
        return memory;
    }

    /**
     * Limits the parameters to what the device supports. librdmacm refuses higher values except {@link ConnParam#MAX},
     * which it replaces itself.
     */
    static ConnParam within(ConnParam param, DeviceAttr device, ConnParam asked) {
        return param.withResponderResources(least(
                        param.responderResources(),
                        device.maxQpRdAtom(),
                        asked == null ? ConnParam.MAX : asked.responderResources()))
                .withInitiatorDepth(least(
                        param.initiatorDepth(),
                        device.maxQpInitRdAtom(),
                        asked == null ? ConnParam.MAX : asked.initiatorDepth()));
    }

    private static int least(int wanted, int most, int asked) {
        return wanted == ConnParam.MAX ? wanted : Math.min(wanted, Math.min(most, asked));
    }

    /** Writes the parameters to zeroed memory. */
    static void write(long at, ConnParam param, long privateData, int length) {
        NativeMemory.putLong(at + ConnParamLayout.PRIVATE_DATA, privateData);
        NativeMemory.putByte(at + ConnParamLayout.PRIVATE_DATA_LEN, length);
        NativeMemory.putByte(at + ConnParamLayout.RESPONDER_RESOURCES, param.responderResources());
        NativeMemory.putByte(at + ConnParamLayout.INITIATOR_DEPTH, param.initiatorDepth());
        NativeMemory.putByte(at + ConnParamLayout.RETRY_COUNT, param.retryCount());
        NativeMemory.putByte(at + ConnParamLayout.RNR_RETRY_COUNT, param.rnrRetryCount());
        NativeMemory.putByte(at + ConnParamLayout.SRQ, param.srq() ? 1 : 0);
        NativeMemory.putInt(at + ConnParamLayout.QP_NUM, param.qpNum());
    }

    /** Reads only the private data, with which datagram parameters start as well. */
    static ConnParam readData(long at) {
        long data = NativeMemory.getLong(at + ConnParamLayout.PRIVATE_DATA);
        byte[] bytes = new byte[data == 0 ? 0 : NativeMemory.getByte(at + ConnParamLayout.PRIVATE_DATA_LEN)];
        NativeMemory.getBytes(data, bytes);
        return ConnParam.DEFAULT.withPrivateData(bytes);
    }

    /** Reads the peer's parameters. */
    static ConnParam read(long at) {
        return readData(at)
                .withResponderResources(NativeMemory.getByte(at + ConnParamLayout.RESPONDER_RESOURCES))
                .withInitiatorDepth(NativeMemory.getByte(at + ConnParamLayout.INITIATOR_DEPTH))
                .withRetryCount(Math.min(MAX_RETRIES, NativeMemory.getByte(at + ConnParamLayout.RETRY_COUNT)))
                .withRnrRetryCount(Math.min(MAX_RETRIES, NativeMemory.getByte(at + ConnParamLayout.RNR_RETRY_COUNT)))
                .withSrq(NativeMemory.getByte(at + ConnParamLayout.SRQ) != 0)
                .withQpNum(NativeMemory.getInt(at + ConnParamLayout.QP_NUM) & QPN);
    }

    /** Reads the destination of datagrams, without private data. */
    static UdParam readUd(long at) {
        return UdParam.of(
                AhAttrs.read(at + UdParamLayout.AH_ATTR),
                NativeMemory.getInt(at + UdParamLayout.QP_NUM) & QPN,
                NativeMemory.getInt(at + UdParamLayout.QKEY));
    }
}
