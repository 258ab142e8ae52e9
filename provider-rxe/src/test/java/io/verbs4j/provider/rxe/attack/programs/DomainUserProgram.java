/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.attack.programs;

import io.verbs4j.Context;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.SrqAttr;
import io.verbs4j.SrqInitAttrEx;
import io.verbs4j.SrqType;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.XrcDomain;
import io.verbs4j.XrcdInitAttr;
import io.verbs4j.core.Verbs;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that opens XRC domains, possibly of another user; carries out commands line by line. */
public final class DomainUserProgram {
    private final Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    private final List<XrcDomain> domains = new ArrayList<>();
    private final List<FileInputStream> held = new ArrayList<>();

    private DomainUserProgram() {}

    /** Runs until its input ends. */
    public static void main(String[] args) throws IOException {
        DomainUserProgram user = new DomainUserProgram();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = user.obey(line.split(" ", -1));
            } catch (VerbsException e) {
                answer = "errno " + e.errno() + " " + e.getMessage();
            }
            System.out.println(answer);
            System.out.flush();
        }
    }

    private String obey(String[] words) throws IOException {
        return switch (words[0]) {
            case "open" -> {
                domains.add(context.openXrcd(
                        new XrcdInitAttr().file(Path.of(words[1])).oflags(Integer.parseInt(words[2]))));
                yield "ok";
            }
            case "number" -> number();
            case "close" -> {
                domains.forEach(XrcDomain::close);
                domains.clear();
                yield "ok";
            }
            case "descriptors" -> Integer.toString(new File("/proc/self/fd").list().length);
            case "exhaust" -> {
                exhaust(Integer.parseInt(words[1]));
                yield "ok";
            }
            case "release" -> {
                for (FileInputStream each : held) {
                    each.close();
                }
                held.clear();
                yield "ok";
            }
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    /** The number of a shared receive queue in the domain opened last, by which others find this process. */
    private String number() {
        try (var pd = context.allocPd();
                var cq = context.createCq(1);
                SharedReceiveQueue srq = context.createSrqEx(new SrqInitAttrEx()
                        .attr(new SrqAttr().maxWr(1).maxSge(1))
                        .srqType(SrqType.XRC)
                        .pd(pd)
                        .xrcd(domains.get(domains.size() - 1))
                        .cq(cq))) {
            return Integer.toString(srq.srqNum());
        }
    }

    /** Uses up all descriptors but a few. */
    private void exhaust(int left) throws IOException {
        try {
            while (true) {
                held.add(new FileInputStream("/dev/null"));
            }
        } catch (FileNotFoundException e) { // this one reports that there are too many
            for (int i = 0; i < left; i++) {
                held.remove(held.size() - 1).close();
            }
        }
    }
}
