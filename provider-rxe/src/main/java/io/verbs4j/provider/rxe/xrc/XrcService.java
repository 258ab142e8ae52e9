/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.AccessFlags;
import io.verbs4j.WcStatus;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.memory.FragileMemory;
import io.verbs4j.provider.rxe.memory.KeyMemory;
import io.verbs4j.provider.rxe.memory.MemoryKey;
import io.verbs4j.provider.rxe.memory.MemoryKeys;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.wire.Icrc;
import io.verbs4j.provider.rxe.wire.Opcode;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Receives for a queue pair of another process into this process's shared receive queues; the counterpart of an {@link
 * XrcPeer}.
 *
 * <p>Frames are not trusted more than packets from the network: sizes, queues and keys are checked here.
 */
final class XrcService implements XrcReceiver {
    /** Maximum time for the requesting process to take the answer. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

    private static final int MIN_MTU = 256;
    private static final int MAX_MTU = 4096;

    private final FrameChannel frames;
    private final XrcDomainState domain;
    private final int qpNum;
    private final int mtu;
    private final InboundMessage message;

    /** For reads and atomics, which may come in the middle of a message. */
    private final XrcInbox inbox;

    private final Packet packet = new Packet();
    private final FragileMemory.Atomic atomic = new FragileMemory.Atomic();
    private int accessFlags;

    private XrcService(FrameChannel frames, XrcDomainState domain, int qpNum, int mtu) {
        this.frames = frames;
        this.domain = domain;
        this.qpNum = qpNum;
        this.mtu = mtu;
        this.message = new InboundMessage(new XrcInbox(this, domain, null));
        this.inbox = new XrcInbox(this, domain, null);
    }

    /** Serves until the other process disconnects. */
    static void serve(FrameChannel frames, XrcDomainState domain) throws IOException {
        ByteBuffer hello = frames.content();
        int version = hello.getInt();
        int qpNum = hello.getInt();
        int mtu = hello.getInt();
        if (version != FrameType.VERSION || mtu < MIN_MTU || mtu > MAX_MTU || Integer.bitCount(mtu) != 1) {
            return;
        }
        XrcService service = new XrcService(frames, domain, qpNum & 0xff_ffff, mtu);
        try {
            service.reply(InboundMessage.OK);
            service.run();
        } finally {
            service.message.fail(WcStatus.WR_FLUSH_ERR); // an incomplete message can no longer be completed
        }
    }

    private void run() throws IOException {
        while (true) {
            int type = frames.receive(FrameChannel.FOR_EVER);
            ByteBuffer in = frames.content();
            if (type == FrameType.FAIL) {
                end(in.getInt());
                continue;
            }
            accessFlags = in.getInt();
            switch (type) {
                case FrameType.PACKET -> reply(accept(in));
                case FrameType.CHECK -> check(in);
                case FrameType.READ -> read(in);
                case FrameType.ATOMIC -> atomic(in);
                default -> throw new IOException("unexpected frame of type " + type);
            }
        }
    }

    private void reply(int result) throws IOException {
        frames.begin(FrameType.REPLY).put((byte) result);
        frames.send(PATIENCE);
    }

    private void end(int status) throws IOException {
        if (status == FrameType.ABANDON) {
            message.abandon();
        } else {
            message.fail(status);
        }
        reply(InboundMessage.OK);
    }

    private int accept(ByteBuffer in) {
        if (packet.parse(in, in.position(), in.remaining()) != Packet.OK
                || Opcode.service(packet.opcode()) != Opcode.XRC
                || !Opcode.isSend(packet.opcode()) && !Opcode.isWrite(packet.opcode())
                || packet.length() < Packet.MIN_LENGTH + Icrc.LENGTH) {
            return InboundMessage.INVALID;
        }
        return message.accept(packet);
    }

    private MemoryKey pin(int srqNum, int rkey, long address, long bytes, int right) {
        return bytes < 0 || (accessFlags & right) == 0 || !inbox.select(srqNum)
                ? null
                : domain.keys().pin(rkey, inbox.pd(), address, bytes, right);
    }

    /** Returns why {@link #pin} returned null. */
    private int refusal(int srqNum) {
        return inbox.select(srqNum) ? InboundMessage.ACCESS : InboundMessage.NO_QUEUE;
    }

    private void check(ByteBuffer in) throws IOException {
        int srqNum = in.getInt();
        int rkey = in.getInt();
        long address = in.getLong();
        long bytes = in.getLong();
        if (bytes == 0) { // a read of no bytes needs no key
            reply(inbox.select(srqNum) ? InboundMessage.OK : InboundMessage.NO_QUEUE);
            return;
        }
        MemoryKey key = pin(srqNum, rkey, address, bytes, AccessFlags.REMOTE_READ);
        if (key != null) {
            key.unpin();
        }
        reply(key != null ? InboundMessage.OK : refusal(srqNum));
    }

    private void read(ByteBuffer in) throws IOException {
        int srqNum = in.getInt();
        int rkey = in.getInt();
        long address = in.getLong();
        long bytes = in.getLong();
        MemoryKey key = bytes > MAX_MTU ? null : pin(srqNum, rkey, address, bytes, AccessFlags.REMOTE_READ);
        if (key == null) {
            reply(refusal(srqNum));
            return;
        }
        ByteBuffer out = frames.begin(FrameType.REPLY).put((byte) InboundMessage.OK);
        boolean copied;
        try {
            copied = KeyMemory.copy(key, address, null, NativeMemory.address(out) + out.position(), bytes);
        } finally {
            key.unpin();
        }
        if (!copied) {
            reply(InboundMessage.GONE);
            return;
        }
        out.position(out.position() + (int) bytes);
        frames.send(PATIENCE);
    }

    private void atomic(ByteBuffer in) throws IOException {
        int srqNum = in.getInt();
        int rkey = in.getInt();
        long address = in.getLong();
        boolean swaps = in.get() != 0;
        long compare = in.getLong();
        long swapAdd = in.getLong();
        MemoryKey key = (address & 7) != 0 ? null : pin(srqNum, rkey, address, Long.BYTES, AccessFlags.REMOTE_ATOMIC);
        if (key == null) {
            reply(refusal(srqNum));
            return;
        }
        boolean aligned;
        boolean executed;
        try {
            long word = key.word(address, Long.BYTES);
            aligned = word != 0;
            executed = aligned && atomic.execute(key, word, swaps, compare, swapAdd);
        } finally {
            key.unpin();
        }
        if (!aligned) {
            reply(InboundMessage.INVALID);
            return;
        }
        if (!executed) {
            reply(InboundMessage.GONE);
            return;
        }
        frames.begin(FrameType.REPLY).put((byte) InboundMessage.OK).putLong(atomic.found());
        frames.send(PATIENCE);
    }

    @Override
    public int qpNum() {
        return qpNum;
    }

    @Override
    public int accessFlags() {
        return accessFlags;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    @Override
    public MemoryKeys keys() {
        return domain.keys();
    }
}
