/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.efa.sim.programs;

import io.verbs4j.natives.call.Libc;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.natives.memory.Scratch;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that stands in for a dma-buf, mapped into this process. */
final class DmaBufferFile implements AutoCloseable {
    private final Path path;
    private final MappedByteBuffer memory;
    private final int fd;

    DmaBufferFile(int size) throws IOException {
        path = Files.createTempFile("dmabuf", "");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
            memory.order(ByteOrder.nativeOrder());
        }
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        try (Scratch c = new Scratch(name.length + 1)) {
            NativeMemory.putBytes(c.address(), name);
            fd = Libc.open(c.address(), Libc.O_RDWR, 0);
        }
    }

    int fd() {
        return fd;
    }

    MappedByteBuffer memory() {
        return memory;
    }

    @Override
    public void close() throws IOException {
        Libc.close(fd);
        Files.delete(path);
    }
}
