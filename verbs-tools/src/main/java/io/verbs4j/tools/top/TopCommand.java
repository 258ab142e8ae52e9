/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.top;

import io.verbs4j.rxedv.RunningDevice;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.text.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code verbs top} command. */
@Command(
        name = "top",
        description = {
            "Shows every two seconds what the embedded devices of this user's processes send and receive, until"
                    + " Ctrl-C.",
            "A process appears once it exchanges packets with another one, if it uses the same temporary folder."
        })
public final class TopCommand implements Callable<Integer> {
    /** Processes check every two seconds whether anybody watches. */
    private static final long PERIOD_MILLIS = TimeUnit.SECONDS.toMillis(2);

    private static final String CLEAR = "\033[H\033[2J";

    @Spec
    CommandSpec spec;

    @Option(
            names = {"-n", "--times"},
            paramLabel = "N",
            description = "exit after N tables; the first has no rates yet (default: until Ctrl-C)")
    int times;

    private final PrintStream out;

    /**
     * Creates the command.
     *
     * @param out where its tables go
     */
    public TopCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        if (times < 0) {
            throw new ParameterException(spec.commandLine(), "--times must be at least 1, not " + times);
        }
        boolean redraw = Terminal.isStandardOutput();
        TopTable table = new TopTable();
        try {
            for (int i = 0; times == 0 || i < times; i++) {
                RunningDevice.watch();
                TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS + (i == 0 ? PERIOD_MILLIS / 2 : 0));
                String text = table.next(RunningDevice.all(), System.nanoTime());
                out.print((redraw ? CLEAR : "") + text);
                out.flush();
                if (out.checkError()) {
                    break; // the reader is gone
                }
            }
        } catch (IOException e) {
            throw ToolException.failed(
                    "the temporary folder " + System.getProperty("java.io.tmpdir") + " can't be used: " + e
                            + "; set another one with -Djava.io.tmpdir=FOLDER, here and in the programs to watch",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ExitCode.OK;
    }
}
