/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How a command ends: its exit code, and the exception that carries one. Every other package of the tools uses this.
 */
package io.verbs4j.tools.base;
