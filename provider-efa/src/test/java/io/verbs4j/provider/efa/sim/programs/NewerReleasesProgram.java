/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompCntrCaps;
import io.verbs4j.CompCntrInitAttr;
import io.verbs4j.CompCntrOps;
import io.verbs4j.CompCntrType;
import io.verbs4j.CompletionCounter;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.Errno;
import io.verbs4j.ParentDomain;
import io.verbs4j.ParentDomainInitAttr;
import io.verbs4j.QpAttr;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpInitAttrEx;
import io.verbs4j.QpState;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.TdInitAttr;
import io.verbs4j.ThreadDomain;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import io.verbs4j.efadv.EfaCompCntr;
import io.verbs4j.efadv.EfaCompCntrCaps;
import io.verbs4j.efadv.EfaCompCntrInitAttr;
import io.verbs4j.efadv.EfaCompCntrOps;
import io.verbs4j.efadv.EfaCqInitAttr;
import io.verbs4j.efadv.EfaDv;
import io.verbs4j.efadv.EfaMemoryLocation;
import io.verbs4j.efadv.EfaProcessingHints;
import io.verbs4j.efadv.EfaQpFlags;
import io.verbs4j.efadv.EfaQpInitAttr;
import io.verbs4j.efadv.EfaWorkQueue;
import io.verbs4j.efadv.EfaWrFlags;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.rdmacore.sim.Check;
import io.verbs4j.rdmacore.sim.Simulator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Checks what newer releases add to SRD: counters, queues in memory, hints and inline data of writes; and long receives
 * with every release. Argument: the release.
 */
public final class NewerReleasesProgram {
    private NewerReleasesProgram() {}

    public static void main(String... args) throws IOException {
        int release = Integer.parseInt(args[0]);
        try (EfaRig rig = new EfaRig(QpType.DRIVER)) {
            EfaDv efa = rig.context.vendor(EfaDv.class);
            longReceives(rig);
            hints(rig, efa, release);
            inlineWrites(rig, release);
            counters(rig, efa, release);
            standardCounters(rig, release);
            countersInMemory(rig, efa, release);
            queuesInMemory(rig, release);
            parentDomains(rig, efa, release);
        }
        Simulator.requireClean();
        System.out.println("extras ok");
    }

    /** A message fits into an element of any length, although a descriptor has only 16 bits for it. */
    private static void longReceives(EfaRig rig) {
        for (int length : new int[] {0xffff, 0x10000, 0x10001, 2 * EfaRig.SIZE}) {
            rig.receive(length, rig.at(0, length));
            rig.post(rig.send(1, rig.at(0, 64)));
            Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status of a send to " + length + " bytes");
            Check.equal(64, rig.next(rig.receives).byteLen(), "bytes received");
        }
    }

    private static QueuePair queuePair(EfaRig rig, EfaQpInitAttr efa, int maxInline) {
        QpInitAttr attr = rig.attr(QpType.DRIVER);
        attr.cap().maxInlineData(maxInline);
        QueuePair qp = rig.context.createQpEx(QpInitAttrEx.of(rig.pd, attr).vendor(efa));
        EfaRig.ready(qp);
        return qp;
    }

    private static SendWorkRequest write(EfaRig rig, long id, int length) {
        return rig.send(id, rig.at(0, length))
                .opcode(WrOpcode.RDMA_WRITE)
                .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                .rkey(rig.mr.rkey());
    }

    private static void hints(EfaRig rig, EfaDv efa, int release) {
        EfaQpInitAttr attr = new EfaQpInitAttr().wrFlags(EfaWrFlags.PROCESSING_HINTS);
        Check.fails(
                Errno.EINVAL,
                "EfaWrFlags.PROCESSING_HINTS",
                () -> efa.processingHints(rig.qp, EfaProcessingHints.BURST_PPS_SENSITIVE));
        Check.fails(Errno.EOPNOTSUPP, "hints is 0x2", () -> efa.processingHints(rig.qp, 2));
        if (release < 64) {
            Check.fails(Errno.EOPNOTSUPP, "wrFlags 0x1 (64)", () -> queuePair(rig, attr, 32));
            return;
        }
        try (QueuePair qp = queuePair(rig, attr, 32)) {
            EfaWorkQueue ring = efa.querySendQueue(qp);
            int posted = 0;
            for (int hint : new int[] {0, EfaProcessingHints.BURST_PPS_SENSITIVE, 0}) {
                efa.processingHints(qp, hint);
                rig.receive(7, rig.at(EfaRig.SIZE, 64));
                Check.equal(0, qp.postSend(rig.send(posted++, rig.at(0, 64)), null), "errno of a send");
                Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
                rig.next(rig.receives);
                Check.equal(0, qp.postSend(write(rig, posted++, 64), null), "errno of a write");
                Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
                SendWorkRequest list = write(rig, posted++, 64).next(write(rig, posted++, 64));
                Check.equal(0, qp.postSend(list, null), "errno of a list");
                Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
                Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
                for (int i = posted - 4; i < posted; i++) {
                    long descriptor = ring.buffer() + (long) i * ring.entrySize();
                    Check.equal(hint, NativeMemory.getByte(descriptor + 14), "hints in descriptor " + i);
                }
            }
        }
    }

    private static void inlineWrites(EfaRig rig, int release) {
        if (release >= 46) {
            SendWorkRequest inline = write(rig, 1, 8).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
            Check.equal(Errno.EINVAL, rig.qp.postSend(inline, null), "errno on a queue pair created without the flag");
            Check.require(rig.qp.explain(inline).contains("EfaQpFlags.INLINE_WRITE"), rig.qp.explain(inline));
        }
        EfaQpInitAttr attr = new EfaQpInitAttr().flags(EfaQpFlags.INLINE_WRITE);
        if (release < 63) {
            Check.fails(Errno.EOPNOTSUPP, "flags 0x2", () -> queuePair(rig, attr, 80));
            return;
        }
        try (QueuePair qp = queuePair(rig, attr, 80)) {
            for (int length : new int[] {1, 32, 33, 80}) {
                for (int i = 0; i < length; i++) {
                    rig.memory.put(i, (byte) (length + i));
                    rig.memory.put(EfaRig.SIZE + i, (byte) 0);
                }
                SendWorkRequest wr = write(rig, length, length).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
                Check.equal(0, qp.postSend(wr, null), "errno of " + length + " bytes");
                for (int i = 0; i < length; i++) {
                    rig.memory.put(i, (byte) 0); // the data were already sent
                }
                Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status of " + length + " bytes");
                for (int i = 0; i < length; i++) {
                    Check.equal((byte) (length + i), rig.memory.get(EfaRig.SIZE + i), "byte " + i + " of " + length);
                }
            }
            SendWorkRequest tooLong = write(rig, 1, 81).sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
            Check.equal(Errno.EINVAL, qp.postSend(tooLong, null), "errno of one byte too much");
        }
    }

    private static QueuePair fresh(EfaRig rig) {
        return rig.pd.createQp(rig.attr(QpType.DRIVER));
    }

    private static void counters(EfaRig rig, EfaDv efa, int release) {
        EfaCompCntrInitAttr attr = new EfaCompCntrInitAttr();
        Check.fails(Errno.EINVAL, "attr is null", () -> efa.createCompCntr(null));
        if (release < 65) {
            Check.fails(Errno.ENOSYS, "it came with rdma-core 65", () -> efa.createCompCntr(attr));
            Check.fails(Errno.ENOSYS, "it came with rdma-core 65", efa::queryCompCntrCaps);
            return;
        }
        EfaCompCntrCaps caps = efa.queryCompCntrCaps();
        Check.equal(63, caps.attachOps(), "what can be counted");
        Check.require(caps.maxCounters() > 0 && caps.maxValue() > 0xffff_ffffL, "" + caps);
        Context other = EfaRig.open();
        EfaCompCntr alone = other.vendor(EfaDv.class).createCompCntr(attr);
        Check.fails(Errno.EBUSY, "completion counter=1", other::close);
        alone.close();
        other.close();
        EfaCompCntr sent = efa.createCompCntr(attr);
        try (EfaCompCntr read = efa.createCompCntr(attr)) {
            QueuePair qp = fresh(rig);
            Check.fails(Errno.EOPNOTSUPP, "ops is 0x40", () -> sent.attach(qp, 64));
            Check.fails(Errno.EINVAL, "out of the device's range", () -> sent.attach(qp, 0));
            Check.fails(Errno.EINVAL, "out of the device's range", () -> sent.attach(rig.qp, EfaCompCntrOps.SEND));
            Check.fails(Errno.EINVAL, "qp is null", () -> sent.attach(null, EfaCompCntrOps.SEND));
            sent.attach(qp, EfaCompCntrOps.SEND);
            qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1).pkeyIndex(0).qkey(EfaRig.QKEY));
            read.attach(qp, EfaCompCntrOps.RDMA_READ | EfaCompCntrOps.REMOTE_RDMA_READ);
            Check.fails(Errno.EBUSY, "in use", () -> read.attach(qp, EfaCompCntrOps.SEND));
            Check.fails(Errno.EBUSY, "in use", read::close);
            Check.equal(0, read.read(), "reads before");
            qp.modify(new QpAttr().qpState(QpState.RTR));
            qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(0));
            sent.set(100);
            sent.incErr(3);
            traffic(rig, qp);
            Check.equal(102, sent.read(), "sends that went well");
            Check.equal(3, sent.readErr(), "sends that failed");
            Check.equal(1, read.read(), "reads that went well");
            Check.equal(1, read.readErr(), "reads that failed");
            qp.close();
        }
        sent.setErr(0);
        sent.inc(5);
        Check.equal(107, sent.read(), "after the queue pair is gone");
        Check.equal(0, sent.readErr(), "failures afterwards");
        sent.close();
        sent.close();
        Check.fails(Errno.EINVAL, "is closed", sent::read);
    }

    /** The same through the verbs of the header, which any device may support. */
    private static void standardCounters(EfaRig rig, int release) {
        CompCntrInitAttr attr = new CompCntrInitAttr();
        if (release < 65) {
            Check.fails(Errno.EOPNOTSUPP, "create_comp_cntr", () -> rig.context.createCompCntr(attr));
            Check.fails(Errno.EOPNOTSUPP, "query_comp_cntr_caps", rig.context::queryCompCntrCaps);
            return;
        }
        CompCntrCaps caps = rig.context.queryCompCntrCaps();
        EfaCompCntrCaps same = rig.context.vendor(EfaDv.class).queryCompCntrCaps();
        Check.equal(same.attachOps(), caps.supportedQpAttachOps(), "what can be counted");
        Check.equal(same.maxCounters(), caps.maxCounters(), "how many there are");
        Check.equal(same.maxValue(), caps.maxValue(), "the largest value");
        CompletionCounter sent = rig.context.createCompCntr(attr);
        CompletionCounter read = rig.context.createCompCntr(new CompCntrInitAttr().type(CompCntrType.WRS));
        QueuePair qp = fresh(rig);
        Check.fails(Errno.EOPNOTSUPP, "can't count 0x40, only SEND|", () -> qp.attachCompCntr(sent, 64));
        Check.fails(Errno.EINVAL, "in state RTS", () -> rig.qp.attachCompCntr(sent, CompCntrOps.SEND));
        qp.attachCompCntr(sent, CompCntrOps.SEND);
        qp.attachCompCntr(read, CompCntrOps.RDMA_READ);
        Check.fails(Errno.EBUSY, "a counter for SEND already", () -> qp.attachCompCntr(read, CompCntrOps.SEND));
        Check.fails(Errno.EBUSY, "1 queue pair", sent::close);
        EfaRig.ready(qp);
        sent.set(100);
        sent.setErr(20);
        traffic(rig, qp);
        Check.equal(102, sent.read(), "sends that went well");
        Check.equal(20, sent.readErr(), "sends that failed");
        Check.equal(1, read.read(), "reads that went well");
        Check.equal(1, read.readErr(), "reads that failed");
        sent.inc(5);
        sent.incErr(6);
        Check.equal(107, sent.read(), "after inc");
        Check.equal(26, sent.readErr(), "after incErr");
        qp.close();
        sent.close();
        read.close();
        Check.fails(Errno.EINVAL, "is closed", sent::read);
        Check.fails(Errno.EINVAL, "is closed", () -> sent.inc(1));
    }

    /** Two sends, a read, and a read with a wrong key. */
    private static void traffic(EfaRig rig, QueuePair qp) {
        for (int i = 0; i < 2; i++) {
            rig.receive(i, rig.at(EfaRig.SIZE, 64));
            Check.equal(0, qp.postSend(rig.send(i, rig.at(0, 64)), null), "errno of a send");
            rig.next(rig.sends);
            rig.next(rig.receives);
        }
        for (int wrong = 0; wrong < 2; wrong++) {
            SendWorkRequest read = rig.send(9, rig.at(0, 64))
                    .opcode(WrOpcode.RDMA_READ)
                    .remoteAddr(rig.mr.addr() + EfaRig.SIZE)
                    .rkey(rig.mr.rkey() ^ wrong << 8);
            Check.equal(0, qp.postSend(read, null), "errno of a read");
            Check.equal(
                    wrong == 0 ? WcStatus.SUCCESS : WcStatus.REM_ACCESS_ERR,
                    rig.next(rig.sends).status(),
                    "status");
        }
    }

    private static void countersInMemory(EfaRig rig, EfaDv efa, int release) throws IOException {
        Check.fails(Errno.EINVAL, "not direct", () -> EfaMemoryLocation.of(ByteBuffer.allocate(8)));
        Check.fails(Errno.EINVAL, "memory is null", () -> EfaMemoryLocation.of(null));
        if (release < 65) {
            return;
        }
        ByteBuffer word = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        word.putLong(8, -1);
        try (DmaBufferFile file = new DmaBufferFile(4096)) {
            EfaMemoryLocation here = EfaMemoryLocation.of(word.slice(8, 8));
            EfaMemoryLocation there =
                    EfaMemoryLocation.ofDmabuf(file.fd(), 128, file.memory().slice(128, 8));
            EfaMemoryLocation unseen = EfaMemoryLocation.ofDmabuf(file.fd(), 256, null);
            try (EfaCompCntr both = efa.createCompCntr(
                            new EfaCompCntrInitAttr().completions(here).errors(there));
                    EfaCompCntr half = efa.createCompCntr(new EfaCompCntrInitAttr().completions(unseen))) {
                QueuePair qp = fresh(rig);
                both.attach(qp, EfaCompCntrOps.RDMA_READ);
                half.attach(qp, EfaCompCntrOps.SEND);
                EfaRig.ready(qp);
                traffic(rig, qp);
                Check.equal(1, word.getLong(8), "in memory");
                Check.equal(1, file.memory().getLong(128), "behind a descriptor");
                Check.equal(1, both.read() + both.readErr() - 1, "read by the function");
                Check.equal(2, file.memory().getLong(256), "behind a descriptor, unseen by libefa");
                Check.fails(Errno.EOPNOTSUPP, "", half::read);
                Check.equal(0, half.readErr(), "the other half");
                qp.close();
            }
            EfaCompCntrInitAttr wrong =
                    new EfaCompCntrInitAttr().errors(EfaMemoryLocation.ofDmabuf(file.fd(), 4096, null));
            Check.fails(Errno.EINVAL, "", () -> efa.createCompCntr(wrong));
        }
    }

    /**
     * A domain and its parent domain share one handle of the device, so address handles of either work with queue pairs
     * of either.
     */
    private static void parentDomains(EfaRig rig, EfaDv efa, int release) {
        if (release < 59) {
            Check.fails(Errno.EOPNOTSUPP, "", () -> rig.context.allocTd(new TdInitAttr()));
            return;
        }
        try (ThreadDomain td = rig.context.allocTd(new TdInitAttr());
                ParentDomain parent = rig.context.allocParentDomain(
                        new ParentDomainInitAttr().pd(rig.pd).td(td));
                AddressHandle ah = parent.createAh(EfaRig.way(rig.context));
                QueuePair qp = parent.createQp(rig.attr(QpType.DRIVER))) {
            Check.equal(efa.queryAh(rig.ah), efa.queryAh(ah), "number of the handle");
            EfaRig.ready(qp);
            for (QueuePair from : List.of(rig.qp, qp)) {
                for (AddressHandle to : List.of(rig.ah, ah)) {
                    rig.receive(2, rig.at(EfaRig.SIZE, 64));
                    Check.equal(0, from.postSend(rig.send(1, rig.at(0, 64)).ah(to), null), "errno of a post");
                    Check.equal(WcStatus.SUCCESS, rig.next(rig.sends).status(), "status");
                    Check.equal(2, rig.next(rig.receives).wrId(), "id");
                }
            }
        }
    }

    private static CqInitAttrEx inMemory(DmaBufferFile file, long length, ByteBuffer mapping) {
        return new CqInitAttrEx().cqe(16).vendor(new EfaCqInitAttr().extMemDmabuf(file.fd(), 4096, length, mapping));
    }

    private static void queuesInMemory(EfaRig rig, int release) throws IOException {
        try (DmaBufferFile file = new DmaBufferFile(16384)) {
            ByteBuffer ring = file.memory().slice(4096, 4096);
            Check.fails(Errno.EINVAL, "shorter than 8192", () -> inMemory(file, 8192, ring));
            if (release < 59) {
                int errno = Errno.ENOSYS;
                Check.fails(errno, "rdma-core ", () -> rig.context.createCqEx(inMemory(file, 4096, ring)));
                return;
            }
            Check.fails(Errno.EINVAL, "range", () -> rig.context.createCqEx(inMemory(file, 16 * 32 - 1, ring)));
            for (int i = 0; i < 4096; i++) {
                ring.put(i, (byte) 0xff);
            }
            try (CompletionQueue cq = rig.context.createCqEx(inMemory(file, 4096, ring));
                    QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
                EfaRig.ready(qp);
                Check.equal(Errno.EINVAL, cq.reqNotify(false), "errno of arming a queue without a doorbell");
                Check.equal(
                        0, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}), "completions from old contents");
                for (int i = 0; i < 40; i++) {
                    send(rig, qp, i);
                    Check.equal(i < 16 || i >= 32 ? 1 : 0, ring.get((i & 15) * 32 + 3) & 1, "phase of " + i);
                    Check.equal(i, rig.next(cq).wrId(), "id");
                }
            }
            unread(rig, file);
        }
    }

    private static void send(EfaRig rig, QueuePair qp, int id) {
        rig.receive(id, rig.at(EfaRig.SIZE, 64));
        Check.equal(0, qp.postSend(rig.send(id, rig.at(0, 64)), null), "errno of send " + id);
        rig.next(rig.receives);
    }

    /** The test reads the memory itself; libefa does not. */
    private static void unread(EfaRig rig, DmaBufferFile file) {
        for (int i = 4096; i < 8192; i++) {
            file.memory().put(i, (byte) 0);
        }
        try (CompletionQueue cq = rig.context.createCqEx(inMemory(file, 4096, null));
                QueuePair qp = rig.pd.createQp(rig.attr(QpType.DRIVER).sendCq(cq))) {
            EfaRig.ready(qp);
            send(rig, qp, 3);
            Check.equal(1, file.memory().get(4096 + 3) & 1, "phase");
            Check.equal(-Errno.EOPNOTSUPP, cq.poll(1, new WorkCompletion[] {new WorkCompletion()}), "answer of a poll");
            Check.equal(Errno.EOPNOTSUPP, cq.startPoll(null), "errno of startPoll");
            Check.equal(Errno.EINVAL, cq.reqNotify(false), "errno of arming");
        }
    }
}
