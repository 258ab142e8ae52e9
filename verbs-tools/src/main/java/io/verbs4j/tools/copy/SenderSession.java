/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.Context;
import io.verbs4j.bulk.BulkConfig;
import io.verbs4j.bulk.BulkEndpoint;
import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkProgress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** One connection to a receiver, with its own endpoint: when it is closed, no memory is in use any more. */
final class SenderSession implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final BulkEndpoint endpoint;
    private final SenderOptions options;
    private final CopyProgress progress;
    private Lane lane;
    private BlockReader reader;
    private CopyChannel channel;
    private long window;

    private SenderSession(BulkEndpoint endpoint, SenderOptions options, CopyProgress progress) {
        this.endpoint = endpoint;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Connects.
     *
     * @param context the device
     * @param address the receiver's address
     * @param copyId identifies this sender
     * @param seconds longest time to connect
     * @throws io.verbs4j.VerbsException if connecting fails
     * @throws ConnectionLost if the connection was lost, or the receiver is busy
     * @throws FileRefused if the receiver refuses this sender
     */
    static SenderSession connect(
            Context context,
            InetSocketAddress address,
            long copyId,
            long seconds,
            SenderOptions options,
            CopyProgress progress)
            throws ConnectionLost, FileRefused {
        SenderSession session = new SenderSession(
                BulkEndpoint.open(BulkConfig.of(context).withProgress(BulkProgress.SERVICE)), options, progress);
        boolean done = false;
        try {
            session.greet(session.endpoint.connect(address, seconds, TimeUnit.SECONDS), copyId);
            done = true;
            return session;
        } finally {
            if (!done) {
                session.close();
            }
        }
    }

    private void greet(BulkPeer peer, long copyId) throws ConnectionLost, FileRefused {
        lane = Lane.of(endpoint);
        reader = new BlockReader(lane.blocks());
        channel = new CopyChannel(lane.ring(), lane.messages(), peer, reader);
        channel.send(new Message.Hello(Message.VERSION, copyId, CopySizes.BLOCK));
        if (!(answer() instanceof Message.Welcome welcome) || welcome.slots() != CopySizes.SLOTS) {
            throw new ConnectionLost("the peer is not a receiver of 'verbs copy'");
        }
        window = welcome.window();
    }

    /**
     * Returns the next message, after acknowledgements of a file that was given up; throws an exception for a refusal.
     */
    private Message answer() throws ConnectionLost, FileRefused {
        Message message = channel.receive();
        while (message instanceof Message.Ack) {
            message = channel.receive();
        }
        return checked(message);
    }

    private static Message checked(Message message) throws ConnectionLost, FileRefused {
        if (message instanceof Message.Failed failed) {
            throw FileRefused.byReceiver(failed.text());
        }
        if (message instanceof Message.Busy busy) {
            throw new ConnectionLost(busy.text());
        }
        return message;
    }

    /**
     * Copies what the receiver lacks of a file.
     *
     * @param source the file
     * @param path the user's path at the receiver
     * @param advance called when the receiver has something new
     * @return the result; the caller sets {@link CopyResult#seconds()} and {@link CopyResult#reconnections()}
     */
    CopyResult copy(SourceFile source, String path, Runnable advance) throws ConnectionLost, FileRefused {
        source.requireUnchanged();
        progress.begin(source.name(), source.size(), 0);
        reader.prepare(channel);
        channel.send(new Message.Offer(path, source.name(), source.size(), source.mtimeNanos(), source.mode()));
        Message answer = answer();
        while (answer instanceof Message.Prefix) { // of a file that was given up
            answer = answer();
        }
        if (!(answer instanceof Message.Start start) || start.bytes() < 0 || start.bytes() > source.size()) {
            throw new ConnectionLost("the peer did not report how much of the file it has");
        }
        if (!start.why().isEmpty()) {
            progress.note(source.name() + ": starting over: " + start.why());
        }
        try (FileChannel file = FileChannel.open(source.path(), StandardOpenOption.READ)) {
            return copy(source, file, start, advance);
        } catch (IOException e) {
            throw abandon(new FileRefused("could not be read: " + e.getMessage(), e));
        } catch (FileRefused e) {
            throw e.isByReceiver() ? e : abandon(e);
        }
    }

    /** Gives the file up, so that the receiver need not keep any of it. */
    private FileRefused abandon(FileRefused why) throws ConnectionLost {
        reader.stop();
        channel.send(new Message.Abandon(why.getMessage()));
        channel.flush();
        return why;
    }

    private CopyResult copy(SourceFile source, FileChannel file, Message.Start start, Runnable advance)
            throws ConnectionLost, FileRefused, IOException {
        MessageDigest digest = Checksums.sha256();
        long from = start.bytes() == 0 ? 0 : verified(source, file, start, digest);
        channel.send(new Message.Go(from));
        progress.begin(source.name(), source.size(), from);
        reader.start(channel, window, file, source, digest, from, options.bytesPerSecond());
        awaitAcks(source, from, advance);
        reader.finish();
        source.requireUnchanged();
        byte[] sum = digest.digest();
        channel.send(new Message.End(sum));
        if (!(checked(channel.receive()) instanceof Message.Done)) {
            throw new ConnectionLost("the peer did not confirm that the file is complete");
        }
        boolean unchanged = start.finished() && from == source.size();
        return new CopyResult(source.name(), source.size(), from, unchanged, 0, 0, Checksums.hex(sum));
    }

    /** {@return how much of what the receiver has is the start of the file; the digest covers that much} */
    private long verified(SourceFile source, FileChannel file, Message.Start start, MessageDigest digest)
            throws ConnectionLost, FileRefused, IOException {
        hash(file, start.bytes(), digest);
        if (!(answer() instanceof Message.Prefix prefix)) {
            throw new ConnectionLost("the peer did not report the checksum of what it has");
        }
        if (prefix.bytes() != start.bytes()) {
            progress.note(source.name() + ": of the " + start.bytes() + " bytes that the receiver has, "
                    + (start.bytes() - prefix.bytes()) + " are damaged");
            boolean usable = prefix.bytes() > 0 && prefix.bytes() < start.bytes() && !start.finished();
            digest.reset();
            if (!usable) {
                return 0;
            }
            hash(file, prefix.bytes(), digest);
        }
        if (Arrays.equals(Checksums.current(digest), prefix.sha256())) {
            return prefix.bytes();
        }
        progress.note(source.name() + ": starting over: the " + prefix.bytes() + " bytes that the receiver has differ");
        digest.reset();
        return 0;
    }

    private void hash(FileChannel file, long bytes, MessageDigest digest)
            throws IOException, ConnectionLost, FileRefused {
        ByteBuffer block = ByteBuffer.allocateDirect(CopySizes.BLOCK);
        for (long done = 0; done < bytes; done += block.limit()) {
            block.clear().limit(CopySizes.blockBytes(bytes, done / CopySizes.BLOCK));
            SourceFile.read(file, block, done);
            digest.update(block);
            progress.checking(done, bytes);
            channel.tick(0);
        }
    }

    private void awaitAcks(SourceFile source, long from, Runnable advance) throws ConnectionLost, FileRefused {
        long next = CopySizes.blocks(from);
        long count = CopySizes.blocks(source.size());
        while (next < count) {
            Message message = checked(channel.receive(LOOK_NANOS));
            reader.check();
            if (message != null) {
                if (!(message instanceof Message.Ack ack)
                        || ack.index() != next
                        || ack.slot() < 0
                        || ack.slot() >= CopySizes.SLOTS) {
                    throw CopyChannel.unexpected(message);
                }
                reader.acknowledged(ack.slot());
                next++;
                advance.run();
            }
            progress.at(Math.min(next * CopySizes.BLOCK, source.size()));
        }
    }

    /** Reports that there are no more files. */
    void bye() throws ConnectionLost {
        channel.send(new Message.Bye());
        channel.flush();
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.stop();
        }
        endpoint.close();
    }
}
