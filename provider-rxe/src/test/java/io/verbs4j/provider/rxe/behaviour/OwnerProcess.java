/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.OpenAttr;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.xrc.ToldProcess;
import io.verbs4j.testsupport.program.Jdk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A process that runs {@link OwnerProgram}, with what it has reported about itself. */
final class OwnerProcess extends ToldProcess {
    final int pd;
    final int otherPd;
    final int dm;
    private final int fd;
    int mr;
    long addr;
    int lkey;
    int rkey;

    OwnerProcess() throws IOException {
        this(command(OwnerProgram.class));
    }

    /** Starts a command that runs {@link OwnerProgram}. */
    OwnerProcess(List<String> command) throws IOException {
        super(command);
        String[] about = ask("about").split(" ", -1);
        fd = Integer.parseInt(about[0]);
        pd = Integer.parseInt(about[1]);
        otherPd = Integer.parseInt(about[2]);
        dm = Integer.parseInt(about[3]);
        learn(ask("region"));
    }

    /** Returns the command that runs a program. */
    static List<String> command(Class<?> main) {
        Jdk jdk = Jdk.own();
        List<String> command = new ArrayList<>();
        command.add(jdk.java().toString());
        command.addAll(jdk.permissions());
        command.addAll(List.of(
                Jdk.QUICK,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        return command;
    }

    /** Records the description of the region. */
    void learn(String region) {
        String[] words = region.split(" ", -1);
        mr = Integer.parseInt(words[0]);
        addr = Long.parseLong(words[1]);
        lkey = Integer.parseInt(words[2]);
        rkey = Integer.parseInt(words[3]);
    }

    /** Returns its descriptor as one of this process: another number for the same file. */
    OpenedFile descriptor() {
        return new OpenedFile(file());
    }

    /** Returns the name by which processes of the same user can open its descriptor. */
    String file() {
        return "/proc/" + pid() + "/fd/" + fd;
    }

    /** Imports its context. */
    Context open() {
        try (OpenedFile file = descriptor()) {
            return Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT, new OpenAttr().importFd(file.fd));
        }
    }

    void fill(int seed) throws IOException {
        assertThat(ask("fill " + seed)).isEqualTo("ok");
    }

    void assertPattern(int offset, int seed, int from, int length) throws IOException {
        assertThat(ask("find " + offset + " " + seed + " " + from + " " + length))
                .isEqualTo("ok");
    }
}
