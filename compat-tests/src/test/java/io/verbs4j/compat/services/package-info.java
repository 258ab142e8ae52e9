/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Finds the provider in JVMs started with the jars of this build, on the class path and the module path. */
package io.verbs4j.compat.services;
