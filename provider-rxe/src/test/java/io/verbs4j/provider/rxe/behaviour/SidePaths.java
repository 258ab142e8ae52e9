/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The paths of a test class: those of {@link ByPath}, or else that of the system property {@code verbs4j.test.path}, or
 * else those of this run, which is with one copy or without.
 */
final class SidePaths implements ArgumentsProvider {
    private static final String PROPERTY = "verbs4j.test.path";

    @Override
    public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        return paths(context.getRequiredTestClass()).map(Arguments::of);
    }

    private static Stream<SidePath> paths(Class<?> test) {
        ByPath only = test.getAnnotation(ByPath.class);
        if (only != null) {
            return Stream.of(only.value());
        }
        String named = System.getProperty(PROPERTY);
        if (named != null) {
            return Stream.of(SidePath.valueOf(named));
        }
        return Boolean.getBoolean("io.verbs4j.rxe.onecopy")
                ? Stream.of(SidePath.ONE_COPY)
                : Stream.of(SidePath.LOCAL, SidePath.WIRE);
    }
}
