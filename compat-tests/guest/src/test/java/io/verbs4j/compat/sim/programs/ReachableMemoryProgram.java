/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim.programs;

import static io.verbs4j.compat.sim.programs.SimulatedRig.require;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ContextSlot;
import io.verbs4j.DmaBuffer;
import io.verbs4j.DmaHandle;
import io.verbs4j.DmahInitAttr;
import io.verbs4j.Errno;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RegMrAttrEx;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TphMemType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.core.Verbs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Writes by RDMA to memory with hints, and to a buffer allocated by the device, if the library supports these. Ends
 * with an exception if something is wrong.
 */
public final class ReachableMemoryProgram {
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
    private static final int LENGTH = 10_000;

    private ReachableMemoryProgram() {}

    public static void main(String[] args) {
        try (Context context = Verbs.open(Verbs.device("mlx5_0"), VerbsLevel.CURRENT);
                ProtectionDomain pd = context.allocPd();
                CompletionQueue cq = context.createCq(8);
                QueuePair qp = pd.createQp(new QpInitAttr()
                        .qpType(QpType.RC)
                        .sendCq(cq)
                        .recvCq(cq)
                        .cap(new QpCap().maxSendWr(4).maxRecvWr(4).maxSendSge(1).maxRecvSge(1)))) {
            AhAttr path = new AhAttr().isGlobal(true).portNum(1);
            path.grh().dgid(context.queryGid(1, 0)).hopLimit(64);
            SimulatedRig.connect(qp, path, qp.qpNum(), RIGHTS);
            System.out.println("hints " + hints(context, pd, qp, cq));
            System.out.println("buffers " + buffers(context, pd, qp, cq));
        }
    }

    /** {@return a processor that this process may run on} */
    private static int processor() {
        try (Stream<String> status = Files.lines(Path.of("/proc/self/status"))) {
            String list = status.filter(line -> line.startsWith("Cpus_allowed_list:"))
                    .findFirst()
                    .orElseThrow();
            return Integer.parseInt(list.replaceFirst("\\D+(\\d+).*", "$1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean has(Context context, int slot) {
        return context.queryContext().hasVerb(slot);
    }

    private static String hints(Context context, ProtectionDomain pd, QueuePair qp, CompletionQueue cq) {
        DmahInitAttr attr = new DmahInitAttr().ph(1).cpuId(processor()).tphMemType(TphMemType.VM);
        if (!has(context, ContextSlot.ALLOC_DMAH)) {
            require(fails(() -> context.allocDmah(attr)) == Errno.EOPNOTSUPP, "hints without the verb");
            return "missing";
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * LENGTH);
        DmaHandle dmah = context.allocDmah(attr);
        try (MemoryRegion plain = pd.regMr(memory, RIGHTS);
                MemoryRegion hinted = pd.regMrEx(new RegMrAttrEx()
                        .addr(plain.addr() + LENGTH)
                        .length(LENGTH)
                        .access(RIGHTS)
                        .dmah(dmah))) {
            write(qp, cq, plain, hinted, memory.slice(0, LENGTH), memory.slice(LENGTH, LENGTH));
            require(fails(dmah::close) == Errno.EBUSY, "hints were freed while a region used them");
        }
        dmah.close();
        context.allocDmah(new DmahInitAttr().ph(3)).close();
        require(fails(() -> context.allocDmah(attr.tphMemType(77))) == Errno.EINVAL, "an unknown kind of memory");
        return "ok";
    }

    private static String buffers(Context context, ProtectionDomain pd, QueuePair qp, CompletionQueue cq) {
        if (!has(context, ContextSlot.ALLOC_BUF)) {
            require(fails(() -> pd.allocBuf(LENGTH)) == Errno.EOPNOTSUPP, "a buffer without the verb");
            return "missing";
        }
        ByteBuffer memory = ByteBuffer.allocateDirect(LENGTH);
        DmaBuffer buf = pd.allocBuf(LENGTH);
        require(buf.addr() % 4096 == 0, "it begins at 0x" + Long.toHexString(buf.addr()));
        try (MemoryRegion plain = pd.regMr(memory, RIGHTS);
                MemoryRegion all = buf.regMr(RIGHTS)) {
            write(qp, cq, plain, all, memory, buf.buffer(0, LENGTH));
            require(fails(buf::close) == Errno.EBUSY, "the buffer was freed while a region used it");
        }
        if (has(context, ContextSlot.EXPORT_BUF_DMABUF_FD)) {
            require(fails(buf::exportDmabufFd) == Errno.ENODATA, "ordinary memory was exported");
        }
        buf.close();
        return "ok";
    }

    private static int fails(Runnable verb) {
        try {
            verb.run();
            return 0;
        } catch (VerbsException e) {
            return e.errno();
        }
    }

    private static void write(
            QueuePair qp, CompletionQueue cq, MemoryRegion from, MemoryRegion to, ByteBuffer sent, ByteBuffer found) {
        for (int i = 0; i < LENGTH; i++) {
            sent.put(i, (byte) (i * 31 + i / 251 + 1));
            found.put(i, (byte) 0);
        }
        int error = qp.postSend(new SendWorkRequest()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(new ScatterGatherElement()
                        .addr(from.addr())
                        .length(LENGTH)
                        .lkey(from.lkey()))
                .remoteAddr(to.addr())
                .rkey(to.rkey()));
        require(error == 0, "post_send: " + error);
        WorkCompletion wc = SimulatedRig.next(cq, "no completion");
        require(wc.status() == WcStatus.SUCCESS, WcStatus.toString(wc.status()));
        for (int i = 0; i < LENGTH; i++) {
            require(found.get(i) == sent.get(i), "byte " + i + " differs");
        }
    }
}
