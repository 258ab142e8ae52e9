/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.bulk.BulkPeer;
import io.verbs4j.bulk.BulkWindow;
import io.verbs4j.tools.text.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** One connection of a sender: its files, one after the other. Not thread-safe. */
final class ReceiverSession {
    private final TargetFolder folder;
    private final Claims claims;
    private final ReceiverLog log;
    private final Lane lane;
    private final BulkPeer peer;
    private final CopyChannel channel;
    private final ByteBuffer blocks;
    private boolean failed;

    ReceiverSession(TargetFolder folder, Claims claims, ReceiverLog log, Lane lane, BulkPeer peer) {
        this.folder = folder;
        this.claims = claims;
        this.log = log;
        this.lane = lane;
        this.peer = peer;
        channel = new CopyChannel(lane.ring(), lane.messages(), peer, slot -> {});
        blocks = lane.blocks().bytes();
    }

    CopyChannel channel() {
        return channel;
    }

    /** {@return whether a file was refused or given up, or could not be written} */
    boolean isFailed() {
        return failed;
    }

    /**
     * Serves until the sender has no more files.
     *
     * @throws ConnectionLost if the connection ends before
     */
    void serve() throws ConnectionLost {
        Message first = channel.receive();
        if (!(first instanceof Message.Hello hello)) {
            throw CopyChannel.unexpected(first);
        }
        if (hello.version() != Message.VERSION || hello.blockBytes() != CopySizes.BLOCK) {
            refuse("the receiver runs another version of this program: it speaks " + Message.VERSION + ", the sender "
                    + hello.version());
            return;
        }
        try (BulkWindow window = lane.blocks().window(0, (long) CopySizes.SLOTS * CopySizes.BLOCK, BulkWindow.WRITE)) {
            channel.send(new Message.Welcome(window.id(), CopySizes.SLOTS));
            Message next = channel.receive();
            while (next instanceof Message.Offer offer) {
                receive(offer, hello.copyId());
                next = channel.receive();
                while (next instanceof Message.Block
                        || next instanceof Message.Abandon) { // of a file that was refused midway
                    next = channel.receive();
                }
            }
            if (!(next instanceof Message.Bye)) {
                throw CopyChannel.unexpected(next);
            }
        }
    }

    private void refuse(String why) throws ConnectionLost {
        failed = true;
        channel.send(new Message.Failed(why));
        channel.flush();
    }

    private void receive(Message.Offer offer, long copyId) throws ConnectionLost {
        String name = offer.path().isEmpty() || offer.path().endsWith("/") ? offer.path() + offer.name() : offer.path();
        try {
            if (offer.size() < 0) {
                throw new FileRefused("invalid size of " + offer.size() + " bytes");
            }
            Path target = folder.resolve(offer.path(), offer.name());
            if (!claims.claim(target, copyId, peer::close)) {
                channel.send(new Message.Busy("another sender is copying to '" + name + "'"));
                channel.flush();
                return;
            }
            try (IncomingFile file = IncomingFile.open(target, offer)) {
                receive(offer, file, name);
            } catch (ConnectionLost e) {
                throw new ConnectionLost(name + ": " + e.getMessage() + "; the part received so far is kept", e);
            } finally {
                claims.release(target);
            }
        } catch (FileRefused e) {
            log.say(peer, "refused: " + e.getMessage());
            refuse(e.getMessage());
        } catch (IOException e) {
            String why = "the receiver could not write '" + name + "': " + words(e)
                    + "; the part received so far is kept: run the same command again to resume";
            log.say(peer, why);
            refuse(why);
        }
    }

    /** {@return the file system's reason, without the path, which only concerns the receiver} */
    private static String words(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "its folder is gone";
        }
        if (e instanceof FileSystemException f) {
            return f.getReason() == null ? f.getClass().getSimpleName() : f.getReason();
        }
        return String.valueOf(e.getMessage());
    }

    private void receive(Message.Offer offer, IncomingFile file, String name)
            throws ConnectionLost, IOException, FileRefused {
        long start = System.nanoTime();
        if (!file.why().isEmpty()) {
            log.say(peer, name + ": starting over: " + file.why());
        }
        channel.send(new Message.Start(file.bytes(), file.isFinished(), file.why()));
        if (file.bytes() > 0) {
            byte[] sum = file.prefix(() -> channel.tick(0));
            channel.send(new Message.Prefix(file.bytes(), sum));
        }
        Message go = channel.receive();
        if (go instanceof Message.Abandon abandon) {
            abandoned(name, abandon);
            return;
        }
        if (!(go instanceof Message.Go g) || g.from() != 0 && !isThere(g.from(), offer, file)) {
            throw CopyChannel.unexpected(go);
        }
        long from = g.from();
        boolean finished = file.isFinished() && from == offer.size();
        file.begin(from);
        long index = CopySizes.blocks(from);
        long count = CopySizes.blocks(offer.size());
        Message next = channel.receive();
        while (index < count && next instanceof Message.Block block) {
            write(block, index, offer.size(), file);
            index++;
            next = channel.receive();
        }
        if (next instanceof Message.Abandon abandon) {
            file.discard();
            abandoned(name, abandon);
            return;
        }
        if (index < count || !(next instanceof Message.End e)) {
            throw CopyChannel.unexpected(next);
        }
        file.finish(e.sha256());
        log.received(
                peer,
                name,
                new CopyResult(
                        offer.name(),
                        offer.size(),
                        from,
                        finished,
                        0,
                        (System.nanoTime() - start) / 1e9,
                        Checksums.hex(e.sha256())));
        channel.send(new Message.Done());
    }

    private static boolean isThere(long from, Message.Offer offer, IncomingFile file) {
        return from == file.bytes() && (!file.isFinished() || from == offer.size());
    }

    private void abandoned(String name, Message.Abandon abandon) {
        failed = true;
        log.say(peer, name + ": the sender gave up: " + Printable.of(abandon.text()));
    }

    private void write(Message.Block block, long index, long size, IncomingFile file)
            throws ConnectionLost, IOException, FileRefused {
        int slot = block.slot();
        if (slot < 0 || slot >= CopySizes.SLOTS || block.index() != index) {
            throw CopyChannel.unexpected(block);
        }
        int length = CopySizes.blockBytes(size, index);
        ByteBuffer bytes = block.zeros() ? Checksums.zeros(length) : blocks.slice(slot * CopySizes.BLOCK, length);
        file.write(index, bytes, block.crc(), block.zeros());
        channel.send(new Message.Ack(slot, index));
    }
}
