/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.kit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.verbs4j.VerbsLevel;
import io.verbs4j.compat.kit.model.Fault;
import io.verbs4j.compat.kit.model.Traits;
import io.verbs4j.core.Verbs;
import io.verbs4j.natives.memory.NativeMemory;
import io.verbs4j.provider.rxe.RxeProvider;
import io.verbs4j.rdmacore.NativeContext;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The results of the kit's rules on the model with a fault, by rule number. Each run loads the model again and so has
 * its own device. It also loads the library and the rules again if the library meets the fault while looking for
 * providers, and in {@link KitVerificationTest#FULL the long form}.
 *
 * @param failed the messages of the kit
 * @param skipped the reasons
 * @param passed unused values
 */
record KitRun(Map<String, String> failed, Map<String, String> skipped, Map<String, String> passed) {

    /** The faults in what the library asks a provider once, or remembers. */
    private static final Set<String> MET_ONCE = Stream.of(
                    Fault.NOT_REGISTERED,
                    Fault.NAME_WITH_CAPITALS,
                    Fault.LEVEL_TOO_LOW,
                    Fault.MINIMUM_ZERO,
                    Fault.LIBRARY_REFUSES)
            .map(Fault::name)
            .collect(Collectors.toSet());

    /** Libraries with the rules, each shared by many models, by whether these have a table. */
    private static final Map<Boolean, Fresh> SHARED = new HashMap<>();

    /** Loads some of the project's classes itself, and no others. */
    private static final class Fresh extends URLClassLoader {
        static {
            registerAsParallelCapable();
        }

        private final Predicate<String> own;
        private final boolean registers;

        private Fresh(Predicate<String> own, boolean registers, ClassLoader parent, List<URL> urls) {
            super(urls.toArray(URL[]::new), parent);
            this.own = own;
            this.registers = registers;
        }

        /** Loads the whole project. */
        static Fresh project(List<URL> urls) {
            return new Fresh(name -> name.startsWith("io.verbs4j."), true, KitRun.class.getClassLoader(), urls);
        }

        /** Loads the model and the capabilities that its kit declares. */
        static Fresh model(Fresh library) {
            Predicate<String> own = name ->
                    name.startsWith(Fault.class.getPackageName() + ".") || name.equals(ModelKit.class.getName());
            return new Fresh(own, false, library, sources(ModelKit.class));
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!own.test(name)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        /** Only this loader's registrations count, not those on the test class path. */
        @Override
        public java.util.Enumeration<URL> getResources(String name) throws IOException {
            return registers && name.startsWith("META-INF/services/io.verbs4j")
                    ? findResources(name)
                    : super.getResources(name);
        }
    }

    /**
     * Runs the kit on any model, with any declarations about it.
     *
     * @param properties those of {@link Fault}, {@link Traits} and {@link ModelKit}
     */
    static KitRun of(Map<String, String> properties) throws IOException, ReflectiveOperationException {
        return of(properties, id -> true);
    }

    /** As {@link #of(Map)}, with only some of the rules. */
    static KitRun of(Map<String, String> properties, Predicate<String> rules)
            throws IOException, ReflectiveOperationException {
        String fault = properties.getOrDefault(Fault.PROPERTY, "");
        boolean extended =
                !Traits.capabilities(properties.getOrDefault(Traits.LACKS, "")).contains(Capability.EXTENDED);
        if (KitVerificationTest.EVERY_RULE || MET_ONCE.contains(fault)) {
            try (Fresh loader = fault.equals(Fault.NOT_REGISTERED.name()) ? library() : library(extended)) {
                return run(loader, ModelKit.class, properties, rules);
            }
        }
        try (Fresh loader = Fresh.model(SHARED.computeIfAbsent(extended, KitRun::library))) {
            return run(loader, ModelKit.class, properties, rules);
        }
    }

    private static Fresh library(boolean extended) {
        return library(KitRun.class.getResource(extended ? "registered/extended/" : "registered/plain/"));
    }

    /** {@return a library that finds the providers registered in folders, with the rules} */
    private static Fresh library(URL... registered) {
        List<URL> urls = sources(VerbsLevel.class, Verbs.class, ProviderKit.class, KitRun.class);
        urls.addAll(List.of(registered));
        return Fresh.project(urls);
    }

    /** Runs a kit on the embedded device, configured by properties. */
    static KitRun onRxe(Class<?> kit, Map<String, String> properties) throws IOException, ReflectiveOperationException {
        Class<?>[] types = {
            VerbsLevel.class,
            Verbs.class,
            ProviderKit.class,
            KitRun.class,
            RxeProvider.class,
            NativeContext.class,
            NativeMemory.class
        };
        try (Fresh loader = Fresh.project(sources(types))) {
            return run(loader, kit, properties, id -> true);
        }
    }

    private static List<URL> sources(Class<?>... types) {
        List<URL> urls = new ArrayList<>();
        for (Class<?> type : types) {
            urls.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        return urls;
    }

    private static KitRun run(ClassLoader loader, Class<?> kit, Map<String, String> properties, Predicate<String> rules)
            throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        properties.forEach(System::setProperty);
        try {
            thread.setContextClassLoader(loader);
            return run(Class.forName(kit.getName(), true, loader), rules);
        } finally {
            thread.setContextClassLoader(before);
            properties.keySet().forEach(System::clearProperty);
        }
    }

    /**
     * Runs rules of a kit in the loaded classes. Selects methods: inspecting a whole class takes JUnit longer than most
     * rules.
     */
    private static KitRun run(Class<?> kit, Predicate<String> rules) {
        KitRun run = new KitRun(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        Set<String> names = KitVerificationTest.rules().stream()
                .filter(rule -> rules.test(rule.getAnnotation(Rule.class).id()))
                .map(Method::getName)
                .collect(Collectors.toSet());
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(kit.getMethods())
                        .filter(method -> names.contains(method.getName()))
                        .map(method -> selectMethod(kit, method))
                        .toList())
                .build();
        // Without the listener that lists skipped tests: this class checks them itself.
        LauncherConfig config = LauncherConfig.builder()
                .enableTestExecutionListenerAutoRegistration(false)
                .build();
        LauncherFactory.create(config).execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    String id = id(test.getDisplayName());
                    String said =
                            result.getThrowable().map(Throwable::getMessage).orElse("");
                    run.by(result.getStatus()).put(id, String.valueOf(said));
                }
            }
        });
        return run;
    }

    private static String id(String displayName) {
        return displayName.split(" ", 2)[0];
    }

    private Map<String, String> by(TestExecutionResult.Status status) {
        return switch (status) {
            case FAILED -> failed;
            case ABORTED -> skipped;
            case SUCCESSFUL -> passed;
        };
    }
}
