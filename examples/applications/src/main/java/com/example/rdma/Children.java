/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package com.example.rdma;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts further JVMs like this one, so that an example shows both of its sides by itself. */
public final class Children {
    private Children() {}

    /**
     * Starts a program of this class path; what it says on standard error is seen on ours.
     *
     * @param main its class
     */
    public static Process start(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String modules = System.getProperty("jdk.module.path");
        if (modules == null) {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        } else {
            command.addAll(List.of("-p", modules, "-m", main.getModule().getName() + "/" + main.getName()));
        }
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
