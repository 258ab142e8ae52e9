/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Ece;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.MwBind;
import io.verbs4j.OpenAttrMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsObject;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The verbs of level 4: whoever opens by a descriptor shares memory with whoever was opened without one last. */
final class SharingOps extends MemoryOps {
    private static final int FD = 80_000; // no descriptor of the program
    private static final int FIRST_NUMBER = 500;

    private static MemoryLoop last;

    private static final Map<Integer, VerbsObject> OBJECTS = new HashMap<>();

    /** One for frames, of which none comes. */
    private static final class RawQp extends QueuePair {
        RawQp(Context context, QpInitAttrEx attr) {
            super(context, attr, 4711);
        }

        @Override
        public int postSend(SendWorkRequest wr, SendWorkRequest[] badWr) {
            return Errno.EOPNOTSUPP;
        }

        @Override
        public int postRecv(RecvWorkRequest wr, RecvWorkRequest[] badWr) {
            return Errno.EOPNOTSUPP;
        }

        @Override
        public int bindMw(MemoryWindow mw, MwBind bind) {
            return Errno.EOPNOTSUPP;
        }
    }

    @Override
    QueuePair createQpEx(QpInitAttrEx attr) {
        if (attr.qpType() != QpType.RAW_PACKET) {
            return super.createQpEx(attr);
        }
        see("create_qp_ex", attr);
        mask("create_qp_ex", attr, knownOfQueuePairs());
        return new RawQp(context, attr);
    }

    @Override
    long knownOfQueuePairs() {
        long rss = QpInitAttrMask.IND_TABLE | QpInitAttrMask.RX_HASH;
        return super.knownOfQueuePairs() | QpInitAttrMask.MAX_TSO_HEADER | rss;
    }

    private SharingOps(Context context, MemoryLoop loop) {
        super(context, loop);
    }

    static SharingOps of(Context context) {
        boolean imports = (context.openAttr().compMask() & OpenAttrMask.IMPORT_FD) != 0;
        if (!imports || last == null) {
            last = new MemoryLoop();
        }
        SharingOps ops = new SharingOps(context, last);
        if (imports) {
            ops.see("open_device", context.openAttr());
        }
        return ops;
    }

    private <T> T shared(String verb, int number, Class<T> type) {
        VerbsObject found = OBJECTS.get(number);
        if (!type.isInstance(found)) {
            throw new VerbsException(Errno.ENOENT, verb, "nothing was exported as " + number);
        }
        return type.cast(found);
    }

    private void number(String verb, String number) {
        see(verb, new QpCap()).put("number", number);
    }

    ProtectionDomain importPd(int handle) {
        number("import_pd", "" + handle);
        shared("import_pd", handle, ProtectionDomain.class);
        return new ProtectionDomain(context) {};
    }

    void unimportPd(ProtectionDomain pd) {
        seen("unimport_pd", new QpCap(), pd);
    }

    MemoryRegion importMr(ProtectionDomain pd, int handle) {
        number("import_mr", handle + " @" + System.identityHashCode(pd));
        MemoryRegion mr = shared("import_mr", handle, MemoryRegion.class);
        return new MemoryRegion(pd, 0, mr.length(), 0, mr.lkey(), mr.rkey()) {};
    }

    void unimportMr(MemoryRegion mr) {
        seen("unimport_mr", new QpCap(), mr);
    }

    DeviceMemory importDm(int handle, long length) {
        number("import_dm", handle + " " + length);
        return new Dm(context, shared("import_dm", handle, Dm.class), length);
    }

    void unimportDm(DeviceMemory dm) {
        seen("unimport_dm", new QpCap(), dm);
    }

    ExportedFd exportDevice() {
        return descriptor(FD);
    }

    static ExportedFd descriptor(int number) {
        return new ExportedFd(number) {
            @Override
            protected void closeFd(int closed) {
                // is the number of none
            }
        };
    }

    int exportHandle(VerbsObject object) {
        seen("export_handle", new QpCap(), object);
        for (Map.Entry<Integer, VerbsObject> entry : OBJECTS.entrySet()) {
            if (entry.getValue() == object) {
                return entry.getKey();
            }
        }
        int number = FIRST_NUMBER + OBJECTS.size();
        OBJECTS.put(number, object);
        return number;
    }

    @Override
    long knownMemory() {
        return super.knownMemory() | RegMrMask.DMAH | RegMrMask.BUF;
    }

    @Override
    MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        if ((attr.compMask() & RegMrMask.BUF) == 0) {
            return super.regMrEx(pd, attr);
        }
        seen("reg_mr_ex", attr, pd);
        ByteBuffer bytes = attr.buf().buffer(attr.addr() - attr.buf().addr(), (int) attr.length());
        return memory.region(pd, attr.addr(), bytes, attr.access());
    }

    void setEce(QueuePair qp, Ece ece) {
        see("set_ece", ece).put("handle", "@" + System.identityHashCode(qp));
        mask("set_ece", ece, 0);
    }

    Ece queryEce(QueuePair qp) {
        see("query_ece", new QpCap()).put("handle", "@" + System.identityHashCode(qp));
        return new Ece().vendorId(0x15b3).options(-7);
    }
}
