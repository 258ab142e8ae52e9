/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.guest.programs;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.DataInOrderFlags;
import io.verbs4j.Device;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.GidEntry;
import io.verbs4j.ModifyCqAttr;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.ValuesMask;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.util.List;

/** A program for the guest that prints the answers of {@code rxe0} to the queries of level 3, one per line. */
public final class KernelAnswersProgram {
    private KernelAnswersProgram() {}

    public static void main(String... args) {
        Device device = Verbs.devices().stream()
                .filter(d -> d.name().equals("rxe0"))
                .findFirst()
                .orElseThrow();
        try (Context context = Verbs.open(device, VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(16);
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1)))) {
            DeviceAttrEx attr = context.queryDeviceEx();
            tell("caps 0x" + Long.toHexString(attr.deviceCapFlagsEx()));
            tell("plain 0x" + Long.toHexString(context.queryDevice().deviceCaps()));
            tell("odp 0x" + Long.toHexString(attr.odpGeneralCaps()) + " 0x" + Integer.toHexString(attr.odpRcCaps())
                    + " 0x" + Integer.toHexString(attr.odpUdCaps()));
            tell("clock " + attr.completionTimestampMask() + " " + attr.hcaCoreClock());
            tell("ports " + attr.physPortCntEx());
            tell("rights of queue pairs 0x" + Integer.toHexString(attr.qpAccessFlags()));
            tell("unlike most " + attr.deviceTraits() + " " + attr.internalPorts());
            gids(context);
            refused(() -> context.queryValues(ValuesMask.RAW_CLOCK));
            refused(() -> cq.modify(new ModifyCqAttr().cqCount(4).cqPeriod(10)));
            tell("in order " + qp.queryDataInOrder(WrOpcode.RDMA_WRITE, DataInOrderFlags.RETURN_CAPS));
        }
    }

    private static void gids(Context context) {
        List<GidEntry> table = context.queryGidTable();
        for (GidEntry e : table) {
            tell("gid " + e.gidIndex() + " " + e.gid().toHex() + " " + e.gidType() + " " + e.ndevIfindex());
            GidEntry one = context.queryGidEx(e.portNum(), e.gidIndex());
            if (!one.toString().equals(e.toString()) || one.ndevIfindex() != e.ndevIfindex()) {
                tell("another entry: " + one);
            }
        }
        int length = context.queryPort(1).gidTblLen();
        refused(() -> context.queryGidEx(1, length - 1));
        refused(() -> context.queryGidEx(1, length));
        refused(() -> context.queryGidEx(2, 0));
    }

    private static void refused(Runnable body) {
        try {
            body.run();
            tell("served");
        } catch (VerbsException e) {
            tell(e.verb() + " " + Errno.toString(e.errno()).replaceAll(":.*", ""));
        }
    }

    private static void tell(String line) {
        System.out.println("asked\t" + line);
    }
}
