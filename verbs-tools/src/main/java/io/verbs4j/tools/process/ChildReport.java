/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import java.io.IOException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What the second process reports to the first on its standard output, one line each:
 *
 * <pre>
 * port 40123
 * result messages=1000 bytes=4096000
 * </pre>
 */
public final class ChildReport {
    static final String PORT = "port";
    static final String RESULT = "result";

    private final PrintStream out;

    /**
     * Creates a report.
     *
     * @param out where to write it
     */
    public ChildReport(PrintStream out) {
        this.out = out;
    }

    /** Reports the TCP port that this process listens on. */
    public void port(int port) {
        line(PORT + " " + port);
    }

    /** Reports the result. */
    public void result(Map<String, ?> values) {
        line(RESULT + " "
                + values.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" ")));
    }

    private void line(String line) {
        out.println(line);
        out.flush();
    }

    static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : text.split(" ", -1)) {
            String[] parts = pair.split("=", 2);
            if (parts.length == 2) {
                values.put(parts[0], parts[1]);
            }
        }
        return values;
    }

    /** Ends this process when its parent is gone, which closes standard input. */
    public static void endWithParent() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // nothing is ever sent
                        }
                    } catch (IOException e) {
                        // as good as an end
                    }
                    Runtime.getRuntime().halt(1);
                },
                "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }
}
