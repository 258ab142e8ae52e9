/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.base.Interrupts;
import io.verbs4j.provider.rxe.qp.InboundMessage;
import io.verbs4j.provider.rxe.qp.RemoteQueues;
import io.verbs4j.provider.rxe.wire.Packet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A receiving queue pair's connection to another process of the domain, which has shared receive queues. */
final class XrcPeer implements RemoteQueues, AutoCloseable {
    /** A slower process is considered dead, because a queue pair's lock is held while waiting for it. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

    /** Null if the process has died. */
    private FrameChannel frames;

    private long found;

    XrcPeer(Path socket, int qpNum, int mtu) {
        try {
            frames = FrameChannel.connect(socket, PATIENCE, Interrupts.PUT_OFF);
            frames.begin(FrameType.HELLO)
                    .putInt(FrameType.VERSION)
                    .putInt(qpNum)
                    .putInt(mtu);
            if (call() != InboundMessage.OK) {
                close();
            }
        } catch (IOException e) {
            close();
        }
    }

    /** Sends the frame that was begun; returns the first byte of the reply, a result. */
    private int call() {
        try {
            frames.send(PATIENCE);
            if (frames.receive(PATIENCE) == FrameType.REPLY && frames.content().hasRemaining()) {
                int result = frames.content().get();
                if (result >= InboundMessage.OK && result <= InboundMessage.GONE) {
                    return result;
                }
            }
        } catch (IOException | RuntimeException e) {
            // dead or unresponsive
        }
        close();
        return InboundMessage.UNTOLD;
    }

    private boolean isLost() {
        return frames == null;
    }

    @Override
    public int accept(int accessFlags, Packet packet) {
        if (isLost()) {
            return InboundMessage.UNTOLD;
        }
        ByteBuffer out = frames.begin(FrameType.PACKET).putInt(accessFlags);
        out.put(out.position(), packet.buffer(), packet.offset(), packet.length());
        out.position(out.position() + packet.length());
        return call();
    }

    @Override
    public void fail(int status) {
        if (!isLost()) {
            frames.begin(FrameType.FAIL).putInt(status);
            call();
        }
    }

    @Override
    public void abandon() {
        fail(FrameType.ABANDON);
    }

    private ByteBuffer begin(int type, int accessFlags, int srqNum, int rkey, long address) {
        return frames.begin(type)
                .putInt(accessFlags)
                .putInt(srqNum)
                .putInt(rkey)
                .putLong(address);
    }

    @Override
    public int check(int accessFlags, int srqNum, int rkey, long address, long bytes) {
        if (isLost()) {
            return InboundMessage.UNTOLD;
        }
        begin(FrameType.CHECK, accessFlags, srqNum, rkey, address).putLong(bytes);
        return call();
    }

    @Override
    public int read(int accessFlags, int srqNum, int rkey, long address, int bytes, long to) {
        if (isLost()) {
            return InboundMessage.UNTOLD;
        }
        begin(FrameType.READ, accessFlags, srqNum, rkey, address).putLong(bytes);
        int result = call();
        if (result == InboundMessage.OK) {
            ByteBuffer in = frames.content();
            if (in.remaining() != bytes) {
                close();
                return InboundMessage.UNTOLD;
            }
            NativeMemory.copy(NativeMemory.address(in) + in.position(), to, bytes);
        }
        return result;
    }

    @Override
    public int atomic(int accessFlags, int srqNum, int rkey, long address, boolean swaps, long compare, long swapAdd) {
        if (isLost()) {
            return InboundMessage.UNTOLD;
        }
        begin(FrameType.ATOMIC, accessFlags, srqNum, rkey, address)
                .put((byte) (swaps ? 1 : 0))
                .putLong(compare)
                .putLong(swapAdd);
        int result = call();
        if (result == InboundMessage.OK) {
            if (frames.content().remaining() != Long.BYTES) {
                close();
                return InboundMessage.UNTOLD;
            }
            found = frames.content().getLong();
        }
        return result;
    }

    @Override
    public long found() {
        return found;
    }

    @Override
    public void close() {
        if (frames != null) {
            frames.close();
            frames = null;
        }
    }
}
