/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Output for people and for programs. */
package io.verbs4j.tools.text;
