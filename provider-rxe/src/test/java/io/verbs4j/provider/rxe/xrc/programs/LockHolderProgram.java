/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc.programs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that takes a lock and stops. */
public final class LockHolderProgram {
    private LockHolderProgram() {}

    /** Reports when it has the lock of a file, and keeps it until its input ends. */
    public static void main(String[] args) throws IOException {
        FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.lock();
        System.out.println("locked");
        while (System.in.read() >= 0) {
            // not yet
        }
    }
}
