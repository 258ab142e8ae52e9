/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.benchmarks.start;

import io.verbs4j.benchmarks.harness.Contents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Measures once the time from nothing to the first bytes received through a pair of sockets, and prints it in
 * microseconds.
 */
final class FirstSocket {
    private FirstSocket() {}

    public static void main(String[] args) throws IOException {
        ByteBuffer source = Contents.allocate(FirstWrite.SIZE);
        ByteBuffer target = Contents.allocate(FirstWrite.SIZE);
        Contents.fill(source, 1);
        long begin = System.nanoTime();
        long end;
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel from = SocketChannel.open(server.getLocalAddress());
                    SocketChannel to = server.accept()) {
                from.write(source);
                while (target.hasRemaining() && to.read(target) >= 0) {
                    // 64 bytes arrive at once
                }
                end = System.nanoTime();
            }
        }
        Contents.check(target.clear(), source.clear());
        System.out.println((end - begin) / 1000);
    }
}
