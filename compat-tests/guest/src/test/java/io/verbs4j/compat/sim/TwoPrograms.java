/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.sim;

import io.verbs4j.testsupport.OwnThreads;
import io.verbs4j.testsupport.program.DeviceSim;
import io.verbs4j.testsupport.program.Program;
import io.verbs4j.tools.Main;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Runs the command line in two processes on devices that can reach each other: a listener and a client. */
final class TwoPrograms {
    private static final int SECONDS = 120;
    private static final int ATTEMPTS = 20;

    private final DeviceSim devices;
    private final int port;
    private final CompletableFuture<Program.Result> first;

    /** Starts the listener. */
    TwoPrograms(DeviceSim devices, String arguments) throws IOException {
        this.devices = devices;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        first = OwnThreads.supply(() -> run(arguments));
    }

    /** Runs the client with the address of the listener. */
    Program.Result against(String arguments) {
        Program.Result second = run(arguments + " 127.0.0.1");
        for (int i = 0; i < ATTEMPTS && second.status() != 0 && !first.isDone(); i++) {
            second = run(arguments + " 127.0.0.1"); // the listener is not listening yet
        }
        return second;
    }

    /** {@return the output of the listener once it ends} */
    Program.Result first() throws InterruptedException, ExecutionException {
        return first.get();
    }

    private Program.Result run(String arguments) {
        try {
            return devices.run(Main.class, SECONDS, (arguments + " -p " + port).split(" "));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
