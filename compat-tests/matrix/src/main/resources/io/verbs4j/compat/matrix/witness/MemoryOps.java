/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package witness;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.DeviceMemory;
import io.verbs4j.Errno;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MrKeyInitAttr;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.ParentDomainMask;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttrMask;
import io.verbs4j.QueryDeviceExInput;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.RegMrMask;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import java.nio.ByteBuffer;
import java.util.Map;

/** The verbs of level 3 about memory and domains. */
class MemoryOps extends CompletionOps {
    private static final int FD = 70_000; // no descriptor of the program
    private static final int QP_ACCESS = AccessFlags.REMOTE_WRITE
            | AccessFlags.REMOTE_READ
            | AccessFlags.REMOTE_ATOMIC
            | AccessFlags.FLUSH_GLOBAL;

    final MemoryLoop memory;

    MemoryOps(Context context) {
        this(context, new MemoryLoop());
    }

    MemoryOps(Context context, MemoryLoop loop) {
        super(context, loop);
        memory = loop;
    }

    @Override
    int knownAccess() {
        return super.knownAccess() | AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND | AccessFlags.FLUSH_GLOBAL;
    }

    @Override
    long knownOfQueuePairs() {
        return super.knownOfQueuePairs() | QpInitAttrMask.CREATE_FLAGS;
    }

    @Override
    void queryDeviceEx(QueryDeviceExInput input, DeviceAttrEx attr) {
        super.queryDeviceEx(input, attr);
        attr.offer(DeviceAttrEx.SEND_OPS_RC, MemoryLoop.OPERATIONS);
        // Programs ask for the rights that they find here.
        attr.offer(DeviceAttrEx.MR_ACCESS_FLAGS, knownAccess());
        attr.offer(DeviceAttrEx.QP_ACCESS_FLAGS, QP_ACCESS);
    }

    final Map<String, String> seen(String verb, Object attr, Object handle) {
        Map<String, String> seen = see(verb, attr);
        seen.put("handle", "@" + System.identityHashCode(handle));
        return seen;
    }

    /** The bits of memory that it knows. */
    long knownMemory() {
        return RegMrMask.ADDR | RegMrMask.IOVA | RegMrMask.FD | RegMrMask.FD_OFFSET;
    }

    MemoryRegion regMrEx(ProtectionDomain pd, RegMrAttrEx attr) {
        seen("reg_mr_ex", attr, pd);
        mask("reg_mr_ex", attr, knownMemory());
        if ((attr.compMask() & RegMrMask.FD) != 0) {
            return memory.region(pd, attr.iova(), ByteBuffer.allocate((int) attr.length()), attr.access());
        }
        long iova = (attr.compMask() & RegMrMask.IOVA) == 0 ? attr.addr() : attr.iova();
        return memory.again(pd, attr.addr(), attr.length(), iova, attr.access());
    }

    void adviseMr(ProtectionDomain pd, int advice, int flags, ScatterGatherElement[] sgList, int numSge) {
        Map<String, String> seen = seen("advise_mr", new QpCap(), pd);
        seen.put("advice", advice + " " + flags + " " + numSge);
        if (advice > 2) {
            throw cannot("advise_mr", "advice " + advice);
        }
        for (int i = 0; i < numSge; i++) {
            seen.put("element " + i, sgList[i].toString());
        }
    }

    MemoryRegion allocNullMr(ProtectionDomain pd) {
        return memory.nothing(pd);
    }

    MemoryRegion allocMrKey(ProtectionDomain pd, MrKeyInitAttr attr) {
        seen("alloc_mr_key", attr, pd);
        mask("alloc_mr_key", attr, 0);
        return memory.key(pd);
    }

    ThreadDomain allocTd(TdInitAttr attr) {
        see("alloc_td", attr);
        mask("alloc_td", attr, 0);
        return new ThreadDomain(context) {};
    }

    void deallocTd(ThreadDomain td) {
        seen("dealloc_td", new QpCap(), td);
    }

    ParentDomain allocParentDomain(ParentDomainInitAttr attr) {
        see("alloc_parent_domain", attr);
        mask("alloc_parent_domain", attr, ParentDomainMask.ALLOCATORS | ParentDomainMask.PD_CONTEXT);
        return new ParentDomain(attr) {};
    }

    DeviceMemory allocDm(AllocDmAttr attr) {
        see("alloc_dm", attr);
        mask("alloc_dm", attr, 0);
        return new Dm(context, attr.length() + 3); // more than was asked for
    }

    void freeDm(DeviceMemory dm) {
        seen("free_dm", new QpCap(), dm);
    }

    MemoryRegion regDmMr(ProtectionDomain pd, DeviceMemory dm, long dmOffset, long length, int access) {
        Map<String, String> seen = seen("reg_dm_mr", new QpCap(), dm);
        seen.put("range", dmOffset + " " + length + " " + access);
        seen.put("pd", "@" + System.identityHashCode(pd));
        ByteBuffer part = ((Dm) dm).bytes.duplicate().position((int) dmOffset).limit((int) (dmOffset + length));
        return memory.region(pd, 0, part.slice(), access);
    }

    ExportedFd dmExportDmabufFd(DeviceMemory dm) {
        seen("dm_export_dmabuf_fd", new QpCap(), dm);
        return new ExportedFd(FD) {
            @Override
            protected void closeFd(int number) {
                // is the number of none
            }
        };
    }

    static final class Dm extends DeviceMemory {
        private final ByteBuffer bytes;

        Dm(Context context, long length) {
            super(context, length);
            bytes = ByteBuffer.allocate((int) length);
        }

        /** The first bytes of another one. */
        Dm(Context context, Dm of, long length) {
            super(context, length);
            bytes = of.bytes;
        }

        @Override
        public int copyTo(long dmOffset, ByteBuffer source) {
            if (dmOffset + source.remaining() > length()) {
                return Errno.EFAULT;
            }
            bytes.duplicate().position((int) dmOffset).put(source.duplicate());
            return 0;
        }

        @Override
        public int copyFrom(ByteBuffer target, long dmOffset) {
            if (dmOffset + target.remaining() > length()) {
                return Errno.EFAULT;
            }
            int end = (int) dmOffset + target.remaining();
            target.duplicate().put(bytes.duplicate().position((int) dmOffset).limit(end));
            return 0;
        }
    }
}
