/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registered buffers are sent without a copy, held until they are acknowledged, and then released. */
@Timeout(60)
class AllocatorTest {
    private static final int LENGTH = 1 << 20;

    private EchoPair pair;
    private VerbsByteBufAllocator allocator;

    @BeforeEach
    void open() throws Exception {
        pair = new EchoPair();
        allocator = new VerbsByteBufAllocator(VerbsOptions.DEFAULT);
    }

    @AfterEach
    void close() throws Exception {
        allocator.close();
        pair.close();
    }

    @Test
    void registeredBufferIsSentInPlace() throws Exception {
        VerbsSocketChannel client = pair.connect();
        ByteBuf buffer = allocator.directBuffer(LENGTH);
        byte[] sent = EchoPair.fill(buffer, LENGTH);
        client.writeAndFlush(buffer).sync();
        assertThat(pair.received(LENGTH)).isEqualTo(sent);
        assertThat(client.bytesSentInPlace()).isEqualTo(LENGTH);
        assertThat(client.bytesSentByCopy()).isZero();
        awaitReleased(buffer);
    }

    private static void awaitReleased(ByteBuf buffer) throws InterruptedException {
        for (int i = 0; buffer.refCnt() != 0 && i < 1000; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(buffer.refCnt()).isZero();
    }

    @Test
    void otherBufferIsCopied() throws Exception {
        VerbsSocketChannel client = pair.connect();
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(LENGTH);
        byte[] sent = EchoPair.fill(buffer, LENGTH);
        client.writeAndFlush(buffer).sync();
        assertThat(pair.received(LENGTH)).isEqualTo(sent);
        assertThat(client.bytesSentByCopy()).isEqualTo(LENGTH);
        assertThat(client.bytesSentInPlace()).isZero();
    }

    @Test
    void partsOfCompositeBufferAreSentInPlace() throws Exception {
        VerbsSocketChannel client = pair.connect();
        int part = 10_000;
        ByteBuf small = PooledByteBufAllocator.DEFAULT.heapBuffer(9);
        byte[] head = EchoPair.fill(small, 9);
        ByteBuf large = allocator.directBuffer(part);
        byte[] body = EchoPair.fill(large, part);
        CompositeByteBuf both = allocator.compositeBuffer().addComponents(true, small, large.skipBytes(0));
        client.writeAndFlush(both).sync();
        byte[] received = pair.received(9 + part);
        assertThat(received).startsWith(head).endsWith(body);
        assertThat(client.bytesSentInPlace()).isEqualTo(part);
        assertThat(client.bytesSentByCopy()).isEqualTo(9);
        awaitReleased(large);
    }

    @Test
    void sliceIsSentInPlace() throws Exception {
        VerbsSocketChannel client = pair.connect();
        ByteBuf buffer = allocator.directBuffer(LENGTH);
        byte[] all = EchoPair.fill(buffer, LENGTH);
        client.writeAndFlush(buffer.readRetainedSlice(5000)).sync();
        client.writeAndFlush(buffer).sync();
        assertThat(pair.received(LENGTH)).isEqualTo(all);
        assertThat(client.bytesSentInPlace()).isEqualTo(LENGTH);
        awaitReleased(buffer);
    }

    @Test
    void largeMessageIsReceivedInPlace() throws Exception {
        VerbsSocketChannel client = pair.connect();
        for (int i = 0; i < 20; i++) { // until the reader has learned how much arrives at a time
            ByteBuf buffer = allocator.directBuffer(LENGTH);
            byte[] sent = EchoPair.fill(buffer, LENGTH);
            client.writeAndFlush(buffer).sync();
            assertThat(pair.received(LENGTH)).isEqualTo(sent);
        }
        assertThat(client.bytesReceivedInPlace()).isGreaterThan(LENGTH);
        assertThat(client.bytesReceivedInPlace() + client.bytesReceivedByCopy()).isEqualTo(20L * LENGTH);
    }

    /** Its bytes have moved to other memory, and are sent from there. */
    @Test
    void receivedBufferWithChangedCapacityIsSentCorrectly() throws Exception {
        AtomicLong inPlace = new AtomicLong();
        pair.childHandler = new Shrinker(inPlace);
        VerbsSocketChannel client = pair.connect();
        int length = 20_000;
        for (int i = 0; i < 20; i++) {
            byte[] sent = new byte[length];
            Arrays.fill(sent, (byte) i);
            client.writeAndFlush(allocator.directBuffer(length).writeBytes(sent))
                    .sync();
            Arrays.fill(sent, (byte) ~i);
            assertThat(pair.received(length)).isEqualTo(sent);
        }
        assertThat(inPlace.get()).isPositive();
    }

    /** Shrinks messages to their content, and sends them back with all bits flipped. */
    private static final class Shrinker extends ChannelInboundHandlerAdapter {
        private final AtomicLong inPlace;

        Shrinker(AtomicLong inPlace) {
            this.inPlace = inPlace;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the client waits for the bytes
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            bytes.capacity(bytes.writerIndex());
            for (int i = bytes.readerIndex(); i < bytes.writerIndex(); i++) {
                bytes.setByte(i, ~bytes.getByte(i));
            }
            inPlace.set(((VerbsSocketChannel) context.channel()).bytesReceivedInPlace());
            context.writeAndFlush(bytes);
        }
    }

    @Test
    void bufferGrowsAndKeepsItsContent() {
        ByteBuf buffer = allocator.directBuffer(16);
        for (int i = 0; i < 100_000; i++) {
            buffer.writeInt(i);
        }
        for (int i = 0; i < 100_000; i++) {
            assertThat(buffer.readInt()).isEqualTo(i);
        }
        assertThat(buffer.release()).isTrue();
    }

    @Test
    void buffersBeyondLimitAreNotRegistered() {
        try (VerbsByteBufAllocator small = new VerbsByteBufAllocator(VerbsOptions.DEFAULT.withMaxMemory(1 << 20))) {
            ByteBuf first = small.directBuffer(1 << 20);
            assertThat(small.registeredBytes()).isEqualTo(1 << 20);
            ByteBuf second = small.directBuffer(1 << 20).writeInt(1);
            assertThat(small.registeredBytes()).isEqualTo(1 << 20);
            assertThat(second.readInt()).isOne();
            second.release();
            first.release();
        }
    }

    @Test
    void bufferOutlivesItsAllocator() {
        VerbsByteBufAllocator other = new VerbsByteBufAllocator(VerbsOptions.DEFAULT);
        ByteBuf buffer = other.directBuffer(64).writeInt(42);
        other.close();
        other.close();
        assertThat(other.registeredBytes()).isZero();
        assertThat(buffer.readInt()).isEqualTo(42);
        assertThat(buffer.release()).isTrue();
        other.directBuffer(64).release();
    }
}
