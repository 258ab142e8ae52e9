/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.xrc;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A process that carries out commands line by line and answers each with a line. */
public class ToldProcess implements AutoCloseable {
    final Process process;
    private final BufferedWriter to;
    private final BufferedReader from;

    /** Starts it. */
    public ToldProcess(List<String> command) throws IOException {
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        to = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        from = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Sends a command without waiting for the answer. */
    public final void tell(String command) throws IOException {
        to.write(command + "\n");
        to.flush();
    }

    /** Waits for the answer to a command; null if the process has ended. */
    public final String answer() throws IOException {
        return from.readLine();
    }

    /** Sends a command and waits for the answer; null if the process has ended. */
    public final String ask(String command) throws IOException {
        tell(command);
        return answer();
    }

    /** {@return its number} */
    public final long pid() {
        return process.pid();
    }

    /** Lets it end by itself. */
    final void end() throws IOException, InterruptedException {
        to.close();
        process.waitFor();
    }

    /** Kills it, and waits until it has ended. */
    public final void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public final void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
