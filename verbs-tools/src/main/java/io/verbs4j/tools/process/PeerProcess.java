/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import io.verbs4j.tools.base.ToolException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A second process of this program that plays the peer. On its standard output it reports the port that it listens on
 * and its result ({@link ChildReport}); its standard error is kept in case it fails. It ends when this process does.
 */
public final class PeerProcess implements AutoCloseable {
    private static final long START_SECONDS = 60;
    private static final String END = "\0end";

    private final Process process;
    private final ExitHook hook;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final List<String> errors = Collections.synchronizedList(new java.util.ArrayList<>());
    private final Thread errorReader;

    private PeerProcess(Process process) {
        this.process = process;
        hook = ExitHook.of("end-peer", process::destroyForcibly);
        reader(process.inputReader(StandardCharsets.UTF_8), lines, "peer-output");
        errorReader = reader(process.errorReader(StandardCharsets.UTF_8), errors, "peer-errors");
    }

    private Thread reader(BufferedReader from, java.util.Collection<String> to, String name) {
        Thread thread = new Thread(
                () -> {
                    try (from) {
                        from.lines().forEach(to::add);
                    } catch (IOException | RuntimeException e) {
                        // The process was ended while we read.
                    }
                    to.add(END);
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Starts the process.
     *
     * @param arguments its command line arguments
     */
    public static PeerProcess start(List<String> arguments) {
        try {
            return new PeerProcess(new ProcessBuilder(JavaCommand.of(arguments)).start());
        } catch (IOException e) {
            throw ToolException.failed("couldn't start a second process: " + e.getMessage(), e);
        }
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /**
     * Waits until the process listens.
     *
     * @return its TCP port
     */
    public int port() {
        return Integer.parseInt(await(ChildReport.PORT, START_SECONDS));
    }

    /**
     * Waits until the process has finished.
     *
     * @param seconds longest time to wait
     * @return its result
     */
    public Map<String, String> result(long seconds) {
        Map<String, String> result = ChildReport.parse(await(ChildReport.RESULT, seconds));
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw ToolException.failed("the server process (pid " + pid() + ") did not exit");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (process.exitValue() != 0) {
            throw ended();
        }
        return result;
    }

    private String await(String what, long seconds) {
        try {
            String line = lines.poll(seconds, TimeUnit.SECONDS);
            if (line == null) {
                throw ToolException.failed("the server process (pid " + pid() + ") reported no " + what + " within "
                        + seconds + " s" + errorText());
            }
            if (!line.startsWith(what + " ")) {
                throw line.equals(END) ? ended() : ToolException.failed("the server process printed: " + line);
            }
            return line.substring(what.length() + 1);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private ToolException ended() {
        try {
            process.waitFor(1, TimeUnit.SECONDS);
            errorReader.join(1000);
        } catch (InterruptedException e) {
            return interrupted(e);
        }
        String code = process.isAlive() ? "" : " with exit code " + process.exitValue();
        return ToolException.failed("the server process (pid " + pid() + ") ended" + code + errorText());
    }

    /**
     * Adds the process's error output to a failure on this side.
     *
     * @param e the failure on this side
     */
    public ToolException explain(ToolException e) {
        try {
            process.waitFor(500, TimeUnit.MILLISECONDS); // if it is ending, let it write its errors
        } catch (InterruptedException interruption) {
            return interrupted(interruption);
        }
        String text = errorText();
        return text.isEmpty() || e.getMessage().contains(text) ? e : e.with(text);
    }

    /** {@return its standard error, or nothing} */
    private String errorText() {
        StringBuilder text = new StringBuilder();
        synchronized (errors) {
            errors.stream()
                    .filter(e -> !e.equals(END))
                    .forEach(e -> text.append("\n  server: ").append(e));
        }
        return text.toString();
    }

    private static ToolException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return ToolException.failed("interrupted", e);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        hook.close();
    }
}
