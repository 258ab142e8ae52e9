/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Several class loaders of one JVM, each with its own verbs4j, like in application servers. */
package io.verbs4j.provider.rxe.loader;
