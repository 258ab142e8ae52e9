/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim.programs;

import io.verbs4j.AccessFlags;
import io.verbs4j.AhAttr;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CqInitAttrEx;
import io.verbs4j.DeviceAttrEx;
import io.verbs4j.MemoryRegion;
import io.verbs4j.OpsFlags;
import io.verbs4j.OpsWorkRequest;
import io.verbs4j.OpsWrOpcode;
import io.verbs4j.QpCap;
import io.verbs4j.QpInitAttr;
import io.verbs4j.QpType;
import io.verbs4j.QueuePair;
import io.verbs4j.RecvWorkRequest;
import io.verbs4j.ScatterGatherElement;
import io.verbs4j.SendFlags;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.TmHeader;
import io.verbs4j.WcExFlags;
import io.verbs4j.WcFlags;
import io.verbs4j.WcOpcode;
import io.verbs4j.WcStatus;
import io.verbs4j.WorkCompletion;
import io.verbs4j.WrOpcode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** Sends tagged messages to a shared receive queue that matches tags; each must arrive at the buffer of its tag. */
public final class TaggedMessagesProgram extends SimulatedRig {
    private static final int SIZE = 1024;
    private static final int FIRST_BUFFER = 16 * SIZE; // the receives come before it
    private static final int SENT = 64 * SIZE;
    private static final int PRIV = 0x5e5f6061;
    private static final int OPERATION = 99;
    private static final int RIGHTS = AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ;

    private final ByteBuffer memory = ByteBuffer.allocateDirect(128 * SIZE);
    private final MemoryRegion mr = opened(pd.regMr(memory, RIGHTS));
    private final CompletionQueue sends = opened(context.createCq(16));
    private final CompletionQueue tags =
            opened(context.createCqEx(new CqInitAttrEx().cqe(64).wcFlags(WcExFlags.STANDARD | WcExFlags.TM_INFO)));
    private final SharedReceiveQueue srq = opened(context.createSrqEx(new SrqInitAttrEx()
            .srqType(SrqType.TM)
            .pd(pd)
            .cq(tags)
            .attr(new SrqAttr().maxWr(16).maxSge(1))
            .tmCap(8, 8)));
    private final QueuePair sender = opened(pd.createQp(
            new QpInitAttr().qpType(QpType.RC).sendCq(sends).recvCq(sends).cap(capacities())));
    // A queue pair without sends, which the device uses to read announced data.
    private final QueuePair receiver = opened(pd.createQp(new QpInitAttr()
            .qpType(QpType.RC)
            .sendCq(sends)
            .recvCq(sends)
            .srq(srq)
            .cap(new QpCap())));

    private TaggedMessagesProgram() {
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) (i * 31 + i / 251));
        }
        AhAttr path = new AhAttr().dlid(context.queryPort(1).lid()).portNum(1);
        connect(sender, path, receiver.qpNum(), RIGHTS);
        connect(receiver, path, sender.qpNum(), RIGHTS);
        for (int i = 0; i < 8; i++) {
            require(srq.postRecv(new RecvWorkRequest().wrId(i).sgList(sge(i * SIZE, SIZE))) == 0, "no receive");
        }
    }

    public static void main(String[] args) {
        for (Consumer<TaggedMessagesProgram> shown : List.<Consumer<TaggedMessagesProgram>>of(
                TaggedMessagesProgram::capable,
                TaggedMessagesProgram::matched,
                TaggedMessagesProgram::unexpected,
                TaggedMessagesProgram::deleted,
                TaggedMessagesProgram::announced)) {
            TaggedMessagesProgram messages = new TaggedMessagesProgram();
            shown.accept(messages);
            messages.end();
        }
        System.out.println("tags ok");
    }

    private static QpCap capacities() {
        return new QpCap().maxSendWr(8).maxSendSge(1).maxRecvWr(8).maxRecvSge(1);
    }

    private ScatterGatherElement sge(int offset, int length) {
        return new ScatterGatherElement()
                .addr(mr.addr() + offset)
                .length(length)
                .lkey(mr.lkey());
    }

    // ---- messages and the list

    private void send(int length) {
        SendWorkRequest wr = new SendWorkRequest().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
        require(sender.postSend(wr.sgList(sge(SENT, length))) == 0, "a send was refused");
        WorkCompletion wc = next(sends, "no completion of a send");
        require(wc.status() == WcStatus.SUCCESS, "sent: " + WcStatus.toString(wc.status()));
    }

    private void eager(long tag, int payload) {
        TmHeader.write(memory, SENT, TmHeader.EAGER, PRIV, tag);
        send(TmHeader.LENGTH + payload);
    }

    private OpsWorkRequest post(OpsWorkRequest wr) {
        require(srq.postSrqOps(wr.wrId(OPERATION)) == 0, "an operation was refused");
        return wr;
    }

    private OpsWorkRequest add(int id, long tag, long mask, int flags) {
        OpsWorkRequest wr = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_ADD).flags(OpsFlags.SIGNALED | flags);
        return wr.recvWrId(id).tag(tag).mask(mask).sgList(sge(FIRST_BUFFER + id * SIZE, SIZE));
    }

    /** Adds a buffer while the two sides' counts are equal. */
    private OpsWorkRequest added(int id, long tag, long mask) {
        OpsWorkRequest wr = post(add(id, tag, mask, 0));
        is("99 success TM_ADD 0");
        return wr;
    }

    /** Checks the next completion: its id, status, opcode and flags, and for a message its length and tag. */
    private void is(String expected) {
        WorkCompletion wc = next(tags, "no completion, but expected: " + expected);
        boolean message = wc.opcode() == WcOpcode.TM_RECV || wc.opcode() == WcOpcode.TM_NO_TAG;
        boolean tagged = (wc.wcFlags() & WcFlags.TM_MATCH) != 0;
        boolean early = tagged && (wc.wcFlags() & WcFlags.TM_DATA_VALID) == 0; // its length is not valid yet
        String found = wc.wrId() + " " + WcStatus.toString(wc.status())
                + (wc.status() == WcStatus.SUCCESS
                        ? " " + WcOpcode.toString(wc.opcode()) + " " + WcFlags.toString(wc.wcFlags())
                        : "")
                + (message && !early ? " " + wc.byteLen() : "")
                + (tagged ? " " + Long.toHexString(wc.tmTag()) + " " + Integer.toHexString(wc.tmPriv()) : "");
        require(found.equals(expected), "found " + found + ", expected " + expected);
    }

    private void none() {
        require(tags.poll(1, new WorkCompletion[] {new WorkCompletion()}, WorkCompletion.SIZE) == 0, "one too many");
    }

    /** Checks that sent data has arrived at an offset. */
    private void holds(int offset, int from, int length) {
        for (int i = 0; i < length; i++) {
            require(memory.get(offset + i) == memory.get(SENT + from + i), "byte " + i + " differs");
        }
    }

    // ---- tests

    private void capable() {
        DeviceAttrEx can = context.queryDeviceEx();
        require(can.tmFlags() != 0 && can.tmMaxSge() > 0, "the device matches no tags");
        System.out.println("list of " + can.tmMaxNumTags());
    }

    /** The first buffer that fits takes a message, without its header. */
    private void matched() {
        added(1, 0x34, 0xff);
        added(2, 0, 0);
        added(3, 0x1234, -1);
        eager(0x1234, 700);
        is("1 success TM_RECV TM_MATCH|TM_DATA_VALID 700 1234 5e5f6061");
        holds(FIRST_BUFFER + SIZE, TmHeader.LENGTH, 700);
        eager(0x8000000000001234L, 10);
        is("2 success TM_RECV TM_MATCH|TM_DATA_VALID 10 8000000000001234 5e5f6061");
        eager(0x1234, 20);
        is("3 success TM_RECV TM_MATCH|TM_DATA_VALID 20 1234 5e5f6061");
        holds(FIRST_BUFFER + 3 * SIZE, TmHeader.LENGTH, 20);
        TmHeader.write(memory, SENT, TmHeader.NO_TAG, PRIV, 5);
        send(TmHeader.LENGTH + 30);
        is("0 success TM_NO_TAG 0 46");
        holds(0, 0, 46);
        none();
        System.out.println("matched ok");
    }

    /**
     * A message without a buffer goes to a receive. Buffers added afterwards wait until the program has acknowledged
     * it.
     */
    private void unexpected() {
        added(1, 5, -1);
        eager(6, 50);
        is("0 success TM_RECV 0 66");
        holds(0, 0, 66);
        eager(5, 51); // was there before
        is("1 success TM_RECV TM_MATCH|TM_DATA_VALID 51 5 5e5f6061");
        post(add(2, 5, -1, 0));
        is("99 success TM_ADD TM_SYNC_REQ");
        eager(5, 52);
        is("1 success TM_RECV 0 68");
        post(new OpsWorkRequest()
                .opcode(OpsWrOpcode.TAG_SYNC)
                .flags(OpsFlags.SIGNALED | OpsFlags.TM_SYNC)
                .unexpectedCnt(2));
        is("99 success TM_SYNC 0");
        eager(5, 53);
        is("2 success TM_RECV TM_MATCH|TM_DATA_VALID 53 5 5e5f6061");
        none();
        System.out.println("unexpected ok");
    }

    private void deleted() {
        OpsWorkRequest first = added(1, 5, -1);
        OpsWorkRequest second = added(2, 5, -1);
        OpsWorkRequest delete = new OpsWorkRequest().opcode(OpsWrOpcode.TAG_DEL).flags(OpsFlags.SIGNALED);
        post(delete.handle(first.handle()));
        is("99 success TM_DEL 0");
        eager(5, 40);
        post(delete.handle(second.handle())); // its completion has not been polled yet
        is("2 success TM_RECV TM_MATCH|TM_DATA_VALID 40 5 5e5f6061");
        is("99 TM error");
        none();
        System.out.println("deleted ok");
    }

    /** The device reads announced data, and notifies the sender. */
    private void announced() {
        require(sender.postRecv(new RecvWorkRequest().wrId(7).sgList(sge(SENT + 32 * SIZE, SIZE))) == 0, "no receive");
        added(1, 5, -1);
        int data = SENT + 8 * SIZE;
        TmHeader.writeRndv(memory, SENT, PRIV, 5, mr.addr() + data, mr.rkey(), 1000);
        send(TmHeader.RNDV_LENGTH);
        is("1 success TM_RECV TM_MATCH 5 5e5f6061");
        is("1 success TM_RECV TM_DATA_VALID 1000");
        holds(FIRST_BUFFER + SIZE, 8 * SIZE, 1000);
        WorkCompletion wc = next(sends, "the device did not notify the sender");
        require(wc.wrId() == 7 && wc.status() == WcStatus.SUCCESS, "notified: " + wc);
        require(TmHeader.operation(memory, SENT + 32 * SIZE) == TmHeader.FIN, "no FIN");
        none();
        System.out.println("announced ok");
    }
}
