/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.tools.process.ProviderJars;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code verbs} command. */
@Command(
        name = "verbs",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VerbsCommand.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "RDMA from Java: lists devices, tries them, measures them, and copies files.",
        descriptionHeading = "%n",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n",
        parameterListHeading = "%nParameters:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed: data differ, the peer is gone, a verb answered with an error, the result could not be written",
            "2:the command line is not understood",
            "3:there is no device, or it does not have what was asked for"
        },
        footerHeading = "%n",
        footer = {
            "./verbs matrix tries programs of every level with parties of every other; it is a program of its own, in a"
                    + " checkout: ./verbs matrix --help.",
            "",
            "-DNAME=VALUE sets a property here and in the second process of a command, for instance"
                    + " -Dio.verbs4j.rxe.faults=drop=0.05,seed=7.",
            "VERBS4J_DEBUG=1 in the environment shows where an error came from."
        })
final class VerbsCommand implements Runnable {
    private final List<Path> providers = new ArrayList<>();

    @Spec
    CommandSpec spec;

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            mapFallbackValue = "",
            scope = ScopeType.INHERIT,
            hidden = true,
            description = "set a property") // described in the footer: picocli would show it as -D=NAME=VALUE
    void properties(Map<String, String> properties) {
        properties.forEach(System::setProperty);
    }

    @Option(
            names = ProviderJars.OPTION,
            paramLabel = "JAR",
            scope = ScopeType.INHERIT,
            description =
                    "use the provider in this jar too, or in this folder of classes; with what it needs, once for each")
    void provider(List<Path> jars) {
        for (Path jar : jars) {
            String wrong = ProviderJars.wrong(jar);
            if (!wrong.isEmpty()) {
                throw misused(jar + ": " + wrong);
            }
            if (!providers.contains(jar)) {
                providers.add(jar);
            }
        }
    }

    /** Runs a command with the providers that were named on the command line. */
    int execute(ParseResult parsed) {
        CommandLine.IExecutionStrategy usual = new CommandLine.RunLast();
        if (providers.isEmpty()) {
            return usual.execute(parsed);
        }
        if (!ProviderJars.anyRegisters(providers)) {
            throw misused(providers.get(0) + ": registers no provider: a provider's jar has a file"
                    + " META-INF/services/io.verbs4j.spi.VerbsProvider");
        }
        ProviderJars used = ProviderJars.use(providers);
        try {
            return usual.execute(parsed);
        } finally {
            used.close();
        }
    }

    private ParameterException misused(String what) {
        return new ParameterException(spec.commandLine(), ProviderJars.OPTION + " " + what);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do: devices, info, ping, pingpong, bench, copy or top");
    }

    /** The text of {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = VerbsCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "verbs4j " + (version == null ? "(not packaged)" : version) + ", API level " + VerbsLevel.CURRENT
                        + ", library level " + Verbs.level() + ", Java " + Runtime.version()
            };
        }
    }
}
